// Runs cells side by side, each with the control that it shares with others, and hands results on
// as they come.
import type { Problem } from '../model/problem.ts';
import { problemsOf } from '../model/problem.ts';
import type { Timeline } from '../model/timeline.ts';
import { controlKey } from '../systems/control-cell.ts';
import type { Cell } from '../systems/cell.ts';
import { weightOf } from '../systems/instances.ts';
import type { Report } from './cell-bundle.ts';
import { controlsOf, needsControl } from './controls.ts';
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
  /** A control has ended, well or not; those that share it are told nothing but its timeline. */
  readonly onControl?: (control: Cell, problems: readonly Problem[]) => void;
};

const applies = (cell: Cell): boolean => cell.claims.some(({ notApplicable }) => notApplicable === null);

/** Does not apply: nothing is started for it, every claim says why. */
const notRun = (cell: Cell): CellResult => ({
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

/** One waiting control for each key, begun at once; null where it broke, which `onControl` is told. */
const startControls = (plan: Plan, cells: readonly Cell[]): ReadonlyMap<string, Promise<Timeline | null>> => {
  const { session, schedule, scenarioText, report, onControl } = plan;
  const one = async (control: Cell): Promise<Timeline | null> => {
    try {
      const { result, timeline } = await schedule.run(weightOf(control), (onStarted) =>
        runCell({ cell: control, attempt: 1, session, control: async () => null, onStarted, scenarioText, report }),
      );
      onControl?.(control, result.problems);
      return result.problems.length > 0 ? null : timeline;
    } catch (error) {
      onControl?.(control, problemsOf(error));
      return null;
    }
  };
  return new Map([...controlsOf(cells)].map(([key, control]) => [key, one(control)]));
};

/**
 * Resolves with the results in the order of the cells, attempts beside each other. What a result cannot be made
 * of (a reporter that throws) is thrown when everything has ended, so that nothing runs on unseen.
 */
export const runPlan = async (plan: Plan): Promise<readonly CellResult[]> => {
  const { session, schedule, scenarioText, report } = plan;
  // Controls first: what shares them would wait for them otherwise.
  const controls = startControls(plan, plan.cells.filter(applies));
  const runOne = async (cell: Cell, attempt: number): Promise<CellResult> => {
    const shared = needsControl(cell) ? controls.get(controlKey(cell)) : undefined;
    const { result } = await schedule.run(weightOf(cell), (onStarted) =>
      runCell({ cell, attempt, session, control: async () => (await shared) ?? null, onStarted, scenarioText, report }),
    );
    return result;
  };
  const attempts = plan.cells.flatMap((cell) =>
    Array.from({ length: applies(cell) ? plan.repeat : 1 }, (_, index) => ({ cell, attempt: index + 1 })),
  );
  const settled = await Promise.allSettled(
    attempts.map(async ({ cell, attempt }) => {
      const result = applies(cell) ? await runOne(cell, attempt) : notRun(cell);
      plan.onResult(result);
      return result;
    }),
  );
  await Promise.all(controls.values());
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
};
