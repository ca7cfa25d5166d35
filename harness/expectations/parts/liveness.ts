// Whether an exchange was really live: its upstream wrote data events and its client got some after that.
// What was buffered and is read late shows no life: the work for it may long be over.
import type { Exchange, Upstream } from '../../model/exchanges.ts';
import { growthsOf } from '../../model/exchanges.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { worstLag } from './trust.ts';
import type { View } from './view.ts';
import { at } from './words.ts';

/** The last moment at which an upstream wrote a data event before its client got its last one. */
export const lastLife = (exchange: Exchange): ObservationOf<'answer-progress'> | undefined => {
  const got = growthsOf(exchange.received).at(-1);
  if (!got) return undefined;
  return exchange.upstreams
    .flatMap(({ progress }) => growthsOf(progress))
    .filter(({ atMs }) => atMs <= got.atMs)
    .reduce<ObservationOf<'answer-progress'> | undefined>((last, each) => (each.atMs > (last?.atMs ?? -Infinity) ? each : last), undefined);
};

const isOpenAt =
  (ms: number) =>
  ({ received, ended, closed }: Upstream): boolean =>
    received.atMs <= ms && Math.min(ended?.atMs ?? Infinity, closed?.atMs ?? Infinity) > ms;

/** At that time an upstream was at work for it and its client was there. */
export const wasOpenAt = (exchange: Exchange, ms: number): boolean =>
  exchange.upstreams.some(isOpenAt(ms)) && Math.min(exchange.left?.atMs ?? Infinity, exchange.ended?.atMs ?? Infinity) > ms;

export type Ending = { readonly atMs: number; readonly by: 'itself' | 'client' | 'system'; readonly words: string; readonly ref: string };

const overMs = ({ ended, closed }: Upstream): number => Math.min(ended?.atMs ?? Infinity, closed?.atMs ?? Infinity);

/** The one by whose end no upstream had it any more: of several at once the others go on. None where one is open. */
const lastOver = (upstreams: readonly Upstream[]): Upstream | undefined => {
  if (upstreams.some((each) => overMs(each) === Infinity)) return undefined;
  return upstreams.reduce<Upstream | undefined>((last, each) => (last && overMs(last) > overMs(each) ? last : each), undefined);
};

/** What ended it first: its client, its upstream's own doing, or the system. */
export const endingOf = ({ client, left, ended, upstreams }: Exchange): Ending | undefined => {
  const last = lastOver(upstreams);
  const own = last?.ended && last.ended.by !== 'peer' ? last.ended : undefined;
  const closed = last?.closed;
  const all: readonly (Ending | undefined)[] = [
    left && { atMs: left.atMs, by: 'client', words: `${client} left`, ref: refOf(left) },
    own && { atMs: own.atMs, by: 'itself', words: `its upstream ended it (${own.how}, by ${own.by === 'fault' ? 'a fault' : 'its own script'})`, ref: refOf(own) },
    closed && { atMs: closed.atMs, by: 'system', words: 'the system closed it at its upstream', ref: refOf(closed) },
    ended && { atMs: ended.atMs, by: 'system', words: `the system ended it for ${client} (${ended.how})`, ref: refOf(ended) },
  ];
  return all.filter((each) => each !== undefined).toSorted((a, b) => a.atMs - b.atMs)[0];
};

const pausesOf = (counts: Parameters<typeof growthsOf>[0]): readonly number[] => {
  const times = growthsOf(counts).map(({ atMs }) => atMs);
  return times.slice(1).map((atMs, index) => atMs - times[index]!);
};

/** The longest that its client ever waited from one data event to the next, ms. */
export const paceOf = ({ received }: Exchange): number => Math.max(0, ...pausesOf(received));

/**
 * The longest wait that is usual for it, ms: its upstream paused for as long, or its client waited so twice. What happened
 * to it once may be just what must not happen to it.
 */
export const usualPaceOf = ({ received, upstreams }: Exchange): number =>
  Math.max(0, ...upstreams.flatMap(({ progress }) => pausesOf(progress)), pausesOf(received).toSorted((a, b) => b - a)[1] ?? 0);

/** What came to a client may have come as much earlier as somebody lagged: objects where that is all by which it outlived that time. */
export const livedOnLate = ({ whole }: View, sinceMs: number, livedMs: number): Finding | null => {
  const lag = worstLag(whole, { fromMs: sinceMs, toMs: livedMs });
  return lag && lag.lagMs >= livedMs - sinceMs
    ? inconclusive(`${lag.process} lagged ${formatMs(lag.lagMs)} ${at(lag.atMs)}: what was seen until ${formatMs(livedMs)} may have been over at ${formatMs(sinceMs)}`, [refOf(lag)])
    : null;
};
