// When an exchange has to end, as a pure function of what has happened to it so far. The watchdog
// that ends it and the heartbeat that renews its lease ask the same function, so that nothing can be
// renewed that should have ended.
import type { Facts } from './facts.ts';

/** `settle` bounds the time after the end and has no deadline here. */
export const BOUNDS = ['header', 'read', 'progress', 'send', 'lifetime', 'age', 'drain', 'settle'] as const;
export type Bound = (typeof BOUNDS)[number];

/** Length of each bound, ms. */
export type Limits = Readonly<Record<Bound, number>>;

/** A moment, in ms of the monotonic clock, at which a bound is due. */
export type Deadline = { readonly bound: Bound; readonly atMs: number };

/**
 * Every deadline that applies now.
 *
 * While the client does not take what it was sent, the upstream is paused: it cannot be blamed for
 * being silent, so the send bound counts alone and the read and progress bounds rest.
 */
export const deadlinesOf = (facts: Facts, limits: Limits): readonly Deadline[] => {
  const at = (bound: Bound, originMs: number): Deadline => ({ bound, atMs: originMs + limits[bound] });
  const always = [at('lifetime', facts.arrivedAtMs), at('age', facts.reservedAtMs)];
  if (facts.leftAtMs !== null) always.push(at('drain', facts.leftAtMs));
  if (facts.blockedSinceMs !== null) return [...always, at('send', facts.blockedSinceMs)];
  if (facts.headAtMs === null) return [...always, at('header', facts.arrivedAtMs)];
  if (facts.upstreamEnded) return always;
  return [...always, at('read', facts.lastByteAtMs), at('progress', facts.progressAtMs)];
};

/** The first of them, or null when nothing bounds the exchange. */
export const nextDeadline = (deadlines: readonly Deadline[]): Deadline | null =>
  deadlines.reduce<Deadline | null>((first, each) => (first === null || each.atMs < first.atMs ? each : first), null);
