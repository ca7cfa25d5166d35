// From a moment and a limit to the times that judging needs: when it is due, and when it is surely late.
import type { Moment } from './moment.ts';
import type { Span } from './closing.ts';
import { heldUpMs, ledgerOutagesOf, pausedIn } from './outage.ts';
import { slackMs, waitedMs } from './trust.ts';
import type { View } from './view.ts';

/** By how much later a bound is due because the system was held up when it began to count. What comes from `openAtMs` on counts anyway. */
const setLateMs = (view: View, { originMs, openAtMs, process }: Moment): number => {
  const window = { fromMs: originMs ?? openAtMs, toMs: (originMs ?? openAtMs) + view.facts.marginMs };
  if (window.toMs >= openAtMs) return 0;
  return waitedMs(view, window) + heldUpMs(pausedIn(view, { ...window, toMs: openAtMs }, process), window.toMs);
};

/**
 * Up to limit and margin it is in time. Beyond that it is late, unless the act, the watchers or the
 * system were themselves held up, by the machine or by a fault: that much later nothing is said.
 */
export const spanOf = (view: View, moment: Moment, withinMs: number, marginMs = view.facts.marginMs): Span => {
  const dueMs = moment.atMs + withinMs + marginMs;
  const slack = moment.lateMs + setLateMs(view, moment) + slackMs(view, { fromMs: moment.openAtMs, toMs: dueMs }, moment.process);
  return { openAtMs: moment.openAtMs, atMs: moment.atMs, earlyMs: moment.earlyMs, dueMs, lateMs: dueMs + slack, words: moment.words };
};

/** The same for what has to be written into the ledger: it is put off by as long as a fault kept the system from that. */
export const ledgerSpanOf = (view: View, span: Span): Span => {
  const gaps = ledgerOutagesOf(view.timeline).filter(({ toMs }) => toMs >= span.openAtMs);
  const whole = gaps.map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, span.openAtMs), toMs }));
  return { ...span, lateMs: span.lateMs + heldUpMs(whole, span.lateMs) };
};
