// What one exchange may cost, from what was delivered and the card's price and policy.
import type { Exchange } from '../../model/exchanges.ts';
import { totalsAfter, totalsBefore, wasReadToEnd } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
import type { Moment } from './moment.ts';
import { withheldNote } from './subject.ts';
import type { View } from './view.ts';

/** How long after the leave a system may still take what is on its way. */
export const ON_ITS_WAY_MS = 500;

export type Allowed = {
  /** `read`: to the end. `cancel` and `drain`: the client left. `cut`: it ended in another way. */
  readonly how: 'read' | 'cancel' | 'drain' | 'cut';
  readonly leastEvents: number;
  readonly mostEvents: number;
  /** More than `mostEvents`, but no more than system or watchers were held up for: nothing is said. */
  readonly doubtfulEvents: number;
};

const unitsOf = (exchange: Exchange): number =>
  exchange.upstreams.reduce((sum, { ended }) => sum + (ended?.how === 'complete' ? (ended.usage ?? ended.events) : 0), 0);

const writtenBy = (exchange: Exchange, atMs: number): number =>
  exchange.upstreams.reduce((sum, { progress }) => sum + totalsAfter(progress, atMs).events, 0);

const isComplete = (exchange: Exchange): boolean => exchange.upstreams.some(({ ended }) => ended?.how === 'complete');

/** When the last of its upstreams' answers was complete. */
const completedMs = (exchange: Exchange): number =>
  Math.max(-Infinity, ...exchange.upstreams.map(({ ended }) => (ended?.how === 'complete' ? ended.atMs : -Infinity)));

/** What its upstreams had surely written by that time, or by when each was over. */
const surelyWrittenBy = (exchange: Exchange, atMs: number, marginMs: number): number =>
  exchange.upstreams.reduce((sum, { progress, ended, closed }) => {
    const overMs = Math.min(ended?.atMs ?? Infinity, closed?.atMs ?? Infinity, atMs);
    return sum + totalsBefore(progress, overMs - marginMs).events;
  }, 0);

/** All of it where it was over within the bound, else what was written until then; about the bound either is right. */
const drainedEvents = (view: View, exchange: Exchange, leftMs: number, slackMs: number): Allowed => {
  const { marginMs, bounds } = view.facts;
  const boundMs = leftMs + (bounds.drain ?? Infinity);
  const units = unitsOf(exchange);
  const isDone = isComplete(exchange);
  const doneMs = completedMs(exchange);
  if (isDone && doneMs <= boundMs - marginMs) return { how: 'drain', leastEvents: units, mostEvents: units, doubtfulEvents: units };
  const received = totalsBefore(exchange.received, leftMs).events;
  const written = writtenBy(exchange, boundMs + marginMs);
  const leastEvents = Math.max(received, surelyWrittenBy(exchange, boundMs, marginMs));
  if (isDone && doneMs <= boundMs + marginMs)
    return { how: 'drain', leastEvents: Math.min(leastEvents, units), mostEvents: Math.max(written, units), doubtfulEvents: Math.max(written, units) };
  return { how: 'drain', leastEvents, mostEvents: written, doubtfulEvents: writtenBy(exchange, boundMs + marginMs + slackMs) };
};

const leftEvents = (view: View, exchange: Exchange, leftMs: number, slackMs: number): Allowed => {
  if (view.facts.policy.onDisconnect === 'drain') return drainedEvents(view, exchange, leftMs, slackMs);
  const mostMs = leftMs + ON_ITS_WAY_MS;
  return {
    how: 'cancel',
    leastEvents: totalsBefore(exchange.received, leftMs).events,
    mostEvents: writtenBy(exchange, mostMs),
    doubtfulEvents: writtenBy(exchange, mostMs + slackMs),
  };
};

/**
 * When the client left its answer, by something that can arrive and means it. One that vanished has left nobody
 * a word, and one that had read to the end has left nothing.
 */
export const leftAt = ({ policy }: Facts, { left, ended }: Exchange, moment: Moment | null): number | null => {
  const isServed = left?.how === 'half-close' && policy.halfClose === 'serve';
  const hadAll = left !== undefined && ended !== undefined && ended.atMs <= left.atMs;
  if (left && left.wire !== 'nothing' && !isServed && !hadAll) return Math.max(left.how === 'kill' ? 0 : left.atMs, moment?.atMs ?? left.atMs);
  return null;
};

/** @param leftMs when the client left, if it did, by an act that the system can know of */
export const allowedEvents = (view: View, exchange: Exchange, leftMs: number | null, slackMs: number): Allowed => {
  if (leftMs !== null) {
    const left = leftEvents(view, exchange, leftMs, slackMs);
    // What was withheld from a client that was reading was not delivered.
    return left.how === 'cancel' && withheldNote(view, exchange) !== null ? { ...left, mostEvents: 0, doubtfulEvents: 0 } : left;
  }
  if (wasReadToEnd(exchange) && isComplete(exchange)) {
    const units = unitsOf(exchange);
    return { how: 'read', leastEvents: units, mostEvents: units, doubtfulEvents: units };
  }
  const written = writtenBy(exchange, Infinity);
  return { how: 'cut', leastEvents: totalsBefore(exchange.received, Infinity).events, mostEvents: written, doubtfulEvents: written };
};

/** Of a request that was sent several times one attempt is to be paid for, and it may be any that came to something. */
export const eitherOf = (attempts: readonly Allowed[]): Allowed => {
  const paid = attempts.filter(({ mostEvents }) => mostEvents > 0);
  const [first, ...others] = paid.length > 0 ? paid : attempts;
  return others.reduce(
    (either, other) => ({
      how: either.how === other.how ? either.how : 'cut',
      leastEvents: Math.min(either.leastEvents, other.leastEvents),
      mostEvents: Math.max(either.mostEvents, other.mostEvents),
      doubtfulEvents: Math.max(either.doubtfulEvents, other.doubtfulEvents),
    }),
    first!,
  );
};

export const priceOf = (price: NonNullable<Facts['price']>, events: number): number => price.perRequest + price.perEvent * events;
