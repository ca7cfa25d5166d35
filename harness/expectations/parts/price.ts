// What one exchange may cost, from what was delivered and the card's price and policy.
import type { Exchange } from '../../model/exchanges.ts';
import { totalsAfter, totalsBefore } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
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

const leftEvents = (view: View, exchange: Exchange, leftMs: number, slackMs: number): Allowed => {
  const leastEvents = totalsBefore(exchange.received, leftMs).events;
  const { onDisconnect } = view.facts.policy;
  if (onDisconnect === 'drain') {
    const boundMs = view.facts.bounds.drain ?? Infinity;
    const written = writtenBy(exchange, leftMs + boundMs + view.facts.marginMs);
    const exact = isComplete(exchange) ? unitsOf(exchange) : null;
    return { how: 'drain', leastEvents: exact ?? leastEvents, mostEvents: exact ?? written, doubtfulEvents: exact ?? written };
  }
  const mostMs = leftMs + ON_ITS_WAY_MS;
  return { how: 'cancel', leastEvents, mostEvents: writtenBy(exchange, mostMs), doubtfulEvents: writtenBy(exchange, mostMs + slackMs) };
};

/** @param leftMs when the client left, if it did, by an act that the system can know of */
export const allowedEvents = (view: View, exchange: Exchange, leftMs: number | null, slackMs: number): Allowed => {
  if (leftMs !== null) {
    const left = leftEvents(view, exchange, leftMs, slackMs);
    // What was withheld from a client that was reading was not delivered.
    return left.how === 'cancel' && withheldNote(view, exchange) !== null ? { ...left, mostEvents: 0, doubtfulEvents: 0 } : left;
  }
  const { ended } = exchange;
  if (ended?.how === 'complete' && ended.endMark && isComplete(exchange)) {
    const units = unitsOf(exchange);
    return { how: 'read', leastEvents: units, mostEvents: units, doubtfulEvents: units };
  }
  const written = writtenBy(exchange, Infinity);
  return { how: 'cut', leastEvents: totalsBefore(exchange.received, Infinity).events, mostEvents: written, doubtfulEvents: written };
};

export const priceOf = (price: NonNullable<Facts['price']>, events: number): number => price.perRequest + price.perEvent * events;
