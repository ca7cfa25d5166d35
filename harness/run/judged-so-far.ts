// What would be said if the record ended here: for what must be done while the system is still up. Claims about its end are open then.
import { judging } from '../expectations/judge.ts';
import type { Timeline } from '../model/timeline.ts';
import { inTurns } from '../model/turns.ts';
import type { Verdict } from '../model/verdict.ts';
import { within } from '../model/within.ts';
import type { Run } from './run-context.ts';

/** A control that takes longer is done without: what it decides is then not seen here. */
const CONTROL_LIMIT_MS = 3_000;

type Running = Pick<Run, 'timeline' | 'facts' | 'cell' | 'bundle'>;

/** A life has let go of what its turns were about; what was written of it has that. */
const seenSoFar = async ({ timeline, cell, bundle }: Running): Promise<Timeline> => {
  if (cell.drivenAgain === undefined) return timeline.seal();
  await bundle.flush();
  return (await bundle.readBack()).timeline;
};

/** @param control of the same cell, or null where it has none; it may still be running */
export const judgedSoFar = async (run: Running, control: () => Promise<Timeline | null>): Promise<readonly Verdict[]> => {
  const { facts, cell: { claims } } = run;
  return inTurns(judging({ timeline: await seenSoFar(run), control: await within(control(), CONTROL_LIMIT_MS, () => null), facts, claims }));
};
