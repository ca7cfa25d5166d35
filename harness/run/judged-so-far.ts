// What would be said if the record ended here: for what must be done while the system is still up. Claims about its end are open then.
import { setTimeout as pass } from 'node:timers/promises';
import { judging } from '../expectations/judge.ts';
import type { Timeline } from '../model/timeline.ts';
import { inTurns } from '../model/turns.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Run } from './run-context.ts';

/** A control that takes longer is done without: what it decides is then not seen here. */
const CONTROL_LIMIT_MS = 3_000;

const within = async <T>(work: Promise<T>, limitMs: number, otherwise: T): Promise<T> => {
  const done = new AbortController();
  return Promise.race([work, pass(limitMs, otherwise, { signal: done.signal }).catch(() => otherwise)]).finally(() => done.abort());
};

/** @param control of the same cell, or null where it has none; it may still be running */
export const judgedSoFar = async (
  { timeline, facts, cell: { claims } }: Pick<Run, 'timeline' | 'facts' | 'cell'>,
  control: () => Promise<Timeline | null>,
): Promise<readonly Verdict[]> =>
  inTurns(judging({ timeline: timeline.seal(), control: await within(control(), CONTROL_LIMIT_MS, null), facts, claims }));
