// Runs cells side by side, each with the control that it shares with others, and hands results on
// as they come.
import type { Problem } from '../model/problem.ts';
import { problemsOf } from '../model/problem.ts';
import type { Timeline } from '../model/timeline.ts';
import { controlKey } from '../systems/control-cell.ts';
import type { Cell } from '../systems/cell.ts';
import { drawCell } from '../systems/draw.ts';
import type { Report } from './cell-bundle.ts';
import { controlsOf, needsControl } from './controls.ts';
import { demandOf } from './demand.ts';
import { runCell } from './run-cell.ts';
import type { CellResult } from './run-cell.ts';
import type { Schedule } from './schedule.ts';
import type { Session } from './session.ts';

export type Plan = {
  readonly cells: readonly Cell[];
  readonly repeat: number;
  readonly session: Session;
  readonly schedule: Schedule;
  readonly scenarioText: (cell: Cell) => string | Promise<string>;
  readonly report: Report;
  readonly onResult: (result: CellResult) => void;
  /** Of the first attempt; 1 unless given. Who runs the same cells again in one session counts on, since bundles are named by it. */
  readonly firstAttempt?: number;
  /** Each cell once before any has its second attempt; else all attempts of a cell follow each other. */
  readonly inRounds?: boolean;
  /** Asked whenever something could begin: why nothing more does, or null. What has begun goes on to its end. */
  readonly whyNoMore?: () => string | null;
  /** Awaited before `whyNoMore` is asked; not for a control, since what is waited for may itself wait for that. */
  readonly holdBack?: () => Promise<void>;
  /** Told in place of `onResult`, with why; there is no result. */
  readonly onNotRun?: (cell: Cell, attempt: number, why: string) => void;
  /** By key: looked into before a control is started, and filled with what was, for other plans of the session. */
  readonly controls?: Map<string, Control>;
  /** Of a control that is begun; 1 unless given. Who has one that broke run again in one session counts on, since bundles are named by it. */
  readonly controlAttempt?: number;
  /** A control has ended, well or not; those that share it are told nothing but its timeline. */
  readonly onControl?: (control: Cell, problems: readonly Problem[]) => void;
};

const applies = (cell: Cell): boolean => cell.claims.some(({ notApplicable }) => notApplicable === null);

/** Does not apply: nothing is started for it, every claim says why. */
const withoutRun = (cell: Cell): CellResult => ({
  cell,
  attempt: 1,
  folder: '',
  outcome: 'does-not-apply',
  problems: [],
  tookMs: 0,
  verdicts: cell.claims.map(({ kind, id, options, notApplicable }) => ({
    claim: kind,
    id,
    options,
    outcome: 'does-not-apply',
    reason: notApplicable ?? '',
    evidence: [],
  })),
});

export type Control = {
  /** It has its room, so whoever waits for it waits for nobody who waits for room. */
  readonly letIn: Promise<void>;
  /** Null where it broke, which `onControl` is told. */
  readonly timeline: Promise<Timeline | null>;
};

/** Begun when it is first asked for, since what shares it comes next; one for each key, also over several plans. */
const createControls = (plan: Plan): { readonly of: (cell: Cell) => Control | undefined; readonly ended: () => Promise<unknown> } => {
  const { session, schedule, scenarioText, report, onControl, controls = new Map<string, Control>() } = plan;
  const cells = controlsOf(plan.cells.filter(applies));
  const shared = new Set<Control>();
  const runOne = async (control: Cell, letIn: () => void): Promise<Timeline | null> => {
    try {
      const ran = await schedule.run(demandOf(control), async (onStarted) => {
        letIn();
        if (plan.whyNoMore?.()) return null;
        return runCell({ cell: control, attempt: plan.controlAttempt ?? 1, session, control: async () => null, onStarted, scenarioText, report });
      });
      if (ran === null) return null;
      const { result, timeline } = ran;
      onControl?.(control, result.problems);
      return result.problems.length > 0 ? null : timeline;
    } catch (error) {
      onControl?.(control, problemsOf(error));
      return null;
    } finally {
      letIn();
    }
  };
  const begin = (key: string): Control => {
    const { promise: letIn, resolve } = Promise.withResolvers<void>();
    const control = { letIn, timeline: runOne(cells.get(key)!, resolve) };
    controls.set(key, control);
    return control;
  };
  return {
    of: (cell) => {
      if (!needsControl(cell)) return undefined;
      const key = controlKey(cell);
      const control = controls.get(key) ?? begin(key);
      shared.add(control);
      return control;
    },
    // Those of other plans are for them to wait for.
    ended: () => Promise.all([...shared].map(({ timeline }) => timeline)),
  };
};

type Attempt = { readonly cell: Cell; readonly attempt: number };

/** In the order in which they are to begin; what does not apply, or cannot be had, is told once. */
const attemptsOf = ({ cells, repeat, session, firstAttempt = 1, inRounds = false }: Plan): readonly Attempt[] => {
  const rounds = Array.from({ length: repeat }, (_, index) => firstAttempt + index);
  const isDue = ({ cell, attempt }: Attempt): boolean => attempt === firstAttempt || (applies(cell) && (session.untestable?.(cell) ?? null) === null);
  const all = inRounds
    ? rounds.flatMap((attempt) => cells.map((cell) => ({ cell, attempt })))
    : cells.flatMap((cell) => rounds.map((attempt) => ({ cell, attempt })));
  return all.filter(isDue);
};

/** As many stand in line at a time: more than ever have room, and few enough to be looked through whenever one ends. */
const LINE = 400;

/** Begun in order, at most `LINE` at a time. @param work is told whether it is of the first that stand in line */
const inLine = async <T, R>(all: readonly T[], work: (one: T, isFirst: boolean) => Promise<R>): Promise<readonly PromiseSettledResult<R>[]> => {
  const settled: PromiseSettledResult<R>[] = [];
  let next = 0;
  const place = async (): Promise<void> => {
    while (next < all.length) {
      const at = next;
      next += 1;
      [settled[at]] = await Promise.allSettled([work(all[at]!, at < LINE)]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LINE, all.length) }, place));
  return settled;
};

/**
 * Resolves with the results in the order of the attempts, those that were not run left out. What a result cannot be made
 * of (a reporter that throws) is thrown when everything has ended, so that nothing runs on unseen.
 */
export const runPlan = async (plan: Plan): Promise<readonly CellResult[]> => {
  const { session, schedule, scenarioText, report } = plan;
  const controls = createControls(plan);
  const runOne = async ({ cell, attempt }: Attempt): Promise<CellResult | null> => {
    // It is in the queue before the first that shares it: that one would wait for it otherwise.
    const shared = controls.of(cell);
    return schedule.run({ ...demandOf(cell), ...(shared ? { after: shared.letIn } : {}) }, async (onStarted) => {
      await plan.holdBack?.();
      const why = plan.whyNoMore?.() ?? null;
      if (why !== null) {
        plan.onNotRun?.(cell, attempt, why);
        return null;
      }
      const drawn = drawCell(cell, session.manifest.seed ?? 0, attempt);
      const control = async (): Promise<Timeline | null> => (await shared?.timeline) ?? null;
      const { result: ran } = await runCell({ cell: drawn, attempt, session, control, onStarted, scenarioText, report });
      // By the cell that was asked for: others look for its control, its card and its durations by it.
      const result = { ...ran, cell, ...(drawn.drawn ? { drawn: drawn.drawn } : {}) };
      // Before the next one gets its room: it may be what keeps that from beginning.
      plan.onResult(result);
      return result;
    });
  };
  const settled = await inLine(attemptsOf(plan), async (one, isFirst) => {
    if (!isFirst && session.signal.aborted) {
      plan.onNotRun?.(one.cell, one.attempt, 'interrupted');
      return null;
    }
    if (applies(one.cell)) return runOne(one);
    const result = withoutRun(one.cell);
    plan.onResult(result);
    return result;
  });
  await controls.ended();
  return settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value === null ? [] : [one.value];
  });
};
