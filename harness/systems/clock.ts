// Whether an instance's wall clock is really as wrong as the scenario wants it. Said by the system itself, in the
// `date` of its answer: a preloaded library that a static program ignores changes nothing.
import type { LiveTimeline } from '../model/live.ts';
import { formatMs } from '../model/time.ts';
import type { HttpAnswer } from './ask-system.ts';
import type { Cell } from './cell.ts';
import { processNameOf } from './instances.ts';

/** A date has whole seconds, and the answer has travelled. */
const TOLERANCE_MS = 5_000;

/** Notes the fault `clock` of an instance that has one, as fired or, where it cannot be shown, as failed. */
export const noteClock = (cell: Cell, timeline: LiveTimeline, instance: number, { headers }: Pick<HttpAnswer, 'headers'>): void => {
  const aheadMs = cell.scenario.system.clocks[String(instance)] ?? 0;
  if (aheadMs === 0) return;
  const name = processNameOf(cell.card.listen.on, instance);
  const date = headers['date'];
  const foundMs = typeof date === 'string' ? Date.parse(date) - Date.now() : NaN;
  const isShown = Math.abs(foundMs - aheadMs) <= TOLERANCE_MS;
  const wanted = `${formatMs(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  const detail = isShown
    ? `the wall clock of ${name} is ${wanted}`
    : Number.isNaN(foundMs)
      ? `the wall clock of ${name} should be ${wanted}, but its answers have no date by which to see that`
      : `the wall clock of ${name} should be ${wanted}, but its answers are dated ${formatMs(foundMs)} from now`;
  timeline.note({ type: 'fault', fault: 'clock', edge: isShown ? 'fired' : 'failed', detail });
};
