// Who could not settle an exchange: what a fault ended while there was something to settle knows nothing of it, and what it
// stopped to the end, or had no processor, settles nothing. That too little was charged is then nobody's doing.
import type { Exchange } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import { readingsOf } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { instanceOf } from './instances.ts';
import { outagesOf, pausesOf } from './outage.ts';
import { keptFromLedger } from './starved.ts';
import { systemWasFed, waitedMs } from './trust.ts';
import { withHindsight } from './view.ts';
import type { View } from './view.ts';

/** @param leftMs the moment that is counted from, where there is one; else the exchange's own end */
export const couldNotSettle = (view: View, exchange: Exchange, leftMs: number | null): Finding | null => {
  const { process } = instanceOf(view, exchange);
  const { bounds, policy } = view.facts;
  const { settle = 0, drain = 0 } = bounds;
  const overMs = leftMs ?? Math.min(exchange.left?.atMs ?? Infinity, exchange.ended?.atMs ?? Infinity);
  const settledMs = overMs + (policy.onDisconnect === 'drain' ? Math.max(settle, drain) : settle);
  const outage = outagesOf(view.timeline, process).find(({ sent, toMs }) => sent.atMs <= settledMs && toMs >= exchange.planned.atMs);
  if (outage)
    return inconclusive(`a fault had ended ${process} by ${outage.sent.signal}, and perhaps before it had settled ${exchange.client}'s exchange`, [refOf(outage.sent)]);
  const endMs = readingsOf(view.timeline, 'ledger').at(-1)?.beganMs ?? view.endMs;
  const pause = pausesOf(view.timeline, process).find(({ toMs }) => toMs >= endMs);
  const kept = keptFromLedger(view, endMs);
  if (kept) return kept;
  return pause ? inconclusive(`a fault had stopped ${process} from ${formatMs(pause.fromMs)} to the end: it could settle nothing`, [pause.ref]) : null;
};

/** Nothing was charged by a system that had no processor when it should have. What was charged is judged by the time of that. */
export const hadNoProcessor = (view: View, exchange: Exchange): Finding | null => {
  const { leaseMs } = view.facts.periods;
  const window = { fromMs: view.endMs - 2 * (leaseMs ?? 0), toMs: view.endMs };
  return leaseMs === undefined ? null : systemWasFed(withHindsight(view), window, leaseMs, instanceOf(view, exchange).process);
};

/** What was written until the drain bound may not have been read by then, by a system that waited for longer than measuring may take. */
export const readTooLate = (view: View, attempts: readonly Exchange[]): Finding | null => {
  const { bounds, marginMs } = view.facts;
  const waits = attempts.flatMap(({ left }) => (left ? [waitedMs(view, { fromMs: left.atMs, toMs: left.atMs + (bounds.drain ?? 0) + marginMs })] : []));
  const longest = Math.max(0, ...waits);
  return longest > marginMs ? inconclusive(`the system waited ${formatMs(longest)} for a processor while it drained: it may have read less than was written`) : null;
};
