// Runs cells side by side, each with the control that it shares with others, and hands results on
// as they come.
import { controlKey } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { Timeline } from '../model/timeline.ts';
import { controlsOf, needsControl } from './controls.ts';
import { runCell } from './run-cell.ts';
import type { CellResult, Session } from './run-cell.ts';
import type { Schedule } from './schedule.ts';

export type Plan = {
  readonly cells: readonly Cell[];
  readonly repeat: number;
  readonly session: Session;
  readonly schedule: Schedule;
  readonly scenarioText: (cell: Cell) => string;
  readonly report: (folder: string) => Promise<string>;
  readonly onResult: (result: CellResult) => void;
};

const applies = (cell: Cell): boolean => cell.claims.some(({ notApplicable }) => notApplicable === null);

/** Does not apply: nothing is started for it, every claim says why. */
const notRun = (cell: Cell, timeline: Timeline): CellResult => ({
  cell, attempt: 1, folder: '', outcome: 'does-not-apply', problems: [], timeline, tookMs: 0,
  verdicts: cell.claims.map(({ kind, id, options, notApplicable }) =>
    ({ claim: kind, id, options, outcome: 'does-not-apply', reason: notApplicable ?? '', evidence: [] })),
});

const weigh = (cell: Cell): { cpu: number; memoryBytes: number } => cell.card.weight;

/** Resolves with the results in the order of the cells, attempts beside each other. */
export const runPlan = async (plan: Plan, emptyTimeline: Timeline): Promise<readonly CellResult[]> => {
  const { session, schedule } = plan;
  const applicable = plan.cells.filter(applies);
  const one = (cell: Cell, attempt: number, control: () => Promise<Timeline | null>): Promise<CellResult> =>
    schedule.run(weigh(cell), (onStarted) =>
      runCell({ cell, attempt, session, control, onStarted, scenarioText: plan.scenarioText(cell), report: plan.report }));

  // Controls first: what shares them would wait for them otherwise.
  const controls = new Map([...controlsOf(applicable)].map(([key, cell]) =>
    [key, one(cell, 1, async () => null).then((result) => (result.problems.length > 0 ? null : result.timeline))]));

  const attempts = plan.cells.flatMap((cell) => Array.from({ length: applies(cell) ? plan.repeat : 1 }, (_, index) => ({ cell, attempt: index + 1 })));
  return Promise.all(attempts.map(async ({ cell, attempt }) => {
    const control = needsControl(cell) ? controls.get(controlKey(cell)) : undefined;
    const result = applies(cell) ? await one(cell, attempt, async () => (await control) ?? null) : notRun(cell, emptyTimeline);
    plan.onResult(result);
    return result;
  }));
};

