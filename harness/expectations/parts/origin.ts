// Where each bound counts from, as the table of claims has it. An origin that was never reached is no
// origin: then nothing was waited for.
import type { BoundName } from '../../model/facts.ts';
import type { Exchange, Upstream } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import type { Observation } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { endsOf, isOwned } from './ends.ts';
import { inconclusive } from './finding.ts';
import { stopSignal } from './stopping.ts';
import type { View } from './view.ts';

export type Origin = { readonly atMs: number; readonly evidence: readonly string[] };

const from = (seen: Observation): Origin => ({ atMs: seen.atMs, evidence: [refOf(seen)] });

const none = (exchange: Exchange, bound: BoundName, why: string): Finding =>
  inconclusive(`the ${bound} bound of ${exchange.client}'s exchange has no origin: ${why}`);

/** The moments at which a total grew. */
const growths = (upstream: Upstream, of: 'bytes' | 'events'): readonly Observation[] =>
  upstream.progress.filter((progress, index) => progress[of] > (upstream.progress[index - 1]?.[of] ?? 0));

/** The first moment after which nothing came for as long as the bound; the head counts as the first. */
const stallOf = (view: View, exchange: Exchange, bound: 'read' | 'progress', boundMs: number): Origin | Finding => {
  const upstream = exchange.upstreams.at(-1);
  if (!upstream) return none(exchange, bound, 'no upstream got it');
  const endMs = upstream.closed?.atMs ?? view.endMs;
  const written = growths(upstream, bound === 'read' ? 'bytes' : 'events').filter(({ atMs }) => atMs <= endMs);
  const moments: readonly Observation[] = upstream.head ? [upstream.head, ...written] : written;
  if (moments.length === 0) return none(exchange, bound, 'the upstream wrote no head');
  const stall = moments.find((moment, index) => {
    const next = moments[index + 1];
    if (next) return next.atMs - moment.atMs > boundMs + view.facts.marginMs;
    return upstream.closed !== undefined || endMs - moment.atMs > boundMs;
  });
  return stall ? from(stall) : none(exchange, bound, `the upstream never paused for ${formatMs(boundMs)}`);
};

/** The first sample that shows the system's end of the client leg with a queue that the next one shows unmoved. */
const blockOf = (view: View, exchange: Exchange): Origin | Finding => {
  if (!exchange.connected) return none(exchange, 'send', 'the client never connected');
  const ends = endsOf(view.timeline, exchange.connected).filter(isOwned);
  const blocked = ends.find(({ row }, index) => row!.sendQueue > 0 && ends[index + 1]?.row!.sendQueue === row!.sendQueue);
  return blocked
    ? { atMs: blocked.reading.atMs, evidence: [blocked.reading.ref] }
    : none(exchange, 'send', 'its send queue was never seen standing still');
};

const firstOf = (seen: readonly (Observation | undefined)[]): Observation | undefined =>
  seen.filter((each) => each !== undefined).sort((a, b) => a.atMs - b.atMs)[0];

/** @returns a finding where the bound has no origin in this record */
export const originOf = (view: View, bound: BoundName, exchange: Exchange, boundMs: number): Origin | Finding => {
  switch (bound) {
    case 'header':
    case 'lifetime':
    case 'age':
      return exchange.written ? from(exchange.written) : none(exchange, bound, 'its request was never written');
    case 'read':
    case 'progress':
      return stallOf(view, exchange, bound, boundMs);
    case 'send':
      return blockOf(view, exchange);
    case 'drain':
      return exchange.left ? from(exchange.left) : none(exchange, bound, 'its client never left');
    case 'settle': {
      const upstream = exchange.upstreams.at(-1);
      const end = firstOf([exchange.left, upstream?.ended, upstream?.closed]);
      return end ? from(end) : none(exchange, bound, 'neither upstream nor client ended it');
    }
    case 'shutdown': {
      const sent = stopSignal(view);
      return sent ? from(sent) : none(exchange, bound, 'the system was never told to stop');
    }
  }
};
