// Who could not settle an exchange: what a fault ended while there was something to settle knows nothing of it, and
// what it stopped to the end settles nothing. That too little was charged is then nobody's doing.
import type { Exchange } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import { readingsOf } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { instanceOf } from './instances.ts';
import { outagesOf, pausesOf } from './outage.ts';
import { keptFromLedger } from './starved.ts';
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
