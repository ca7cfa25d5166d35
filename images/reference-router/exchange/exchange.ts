// One request and its answer, from the reservation to the settlement. It ends exactly once, whoever
// asks first: the upstream, the client, a bound, or the shutdown.
import type { IncomingHttpHeaders } from 'node:http';
import type { Downstream } from '../http/downstream.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Services } from '../services.ts';
import { nextDeadline } from './deadlines.ts';
import type { Deadline } from './deadlines.ts';
import { createFacts, phaseOf } from './facts.ts';
import type { Facts } from './facts.ts';
import { REASON_OF_BOUND, TOLD } from './reasons.ts';
import type { Reason } from './reasons.ts';
import { connect } from './relay.ts';
import { createWatchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';

export type Exchange = {
  /** Also the reservation's. */
  readonly id: string;
  readonly account: string;
  readonly marker: string | null;
  readonly facts: Facts;
  readonly services: Services;
  readonly downstream: Downstream;
  readonly watchdog: Watchdog;
  /** Null until the request is on its way. */
  upstream: Upstream | null;
  /** False: what still comes from the upstream is counted, not passed on. */
  delivers: boolean;
  leaseAtMs: number;
  readonly end: (reason: Reason) => void;
  /** Goes on without the client until the upstream ends or the drain bound is due. */
  readonly drain: () => void;
};

export type ExchangeInput = {
  readonly id: string;
  readonly account: string;
  readonly marker: string | null;
  readonly arrivedAtMs: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export const nextDeadlineOf = (exchange: Exchange): Deadline | null =>
  nextDeadline(exchange.services.behaviour.deadlines(exchange.facts, exchange.services.config.limits));

/** What is owed: the upstream's own count for an answer that came to its end, else what was passed on. */
export const costOf = (facts: Facts, config: Services['config']): number => {
  const units = facts.upstreamEnded && facts.usage !== null ? facts.usage : facts.events;
  return units === 0 ? 0 : config.pricePerRequest + config.pricePerEvent * units;
};

const settle = async (exchange: Exchange, reason: Reason): Promise<void> => {
  const { behaviour, config, live, settlements } = exchange.services;
  const input = { id: exchange.id, cost: costOf(exchange.facts, config), reason };
  await behaviour.settle(exchange, reason, () => settlements.settle(input));
  live.remove(exchange);
};

/** Upstream first, then the client, and the ledger last: a locked ledger must keep neither waiting. */
const end = (exchange: Exchange, reason: Reason): void => {
  const { facts, services, downstream } = exchange;
  if (facts.ended) return;
  const phase = phaseOf(facts);
  facts.ended = true;
  exchange.watchdog.stop();
  exchange.upstream?.destroy();
  const told = TOLD[reason];
  if (downstream.hasLeft()) downstream.destroy();
  else if (told) downstream.cut(told, reason);
  else downstream.release();
  services.live.count(reason);
  const { events, usage } = facts;
  services.log('info', 'exchange-ended', { reservation: exchange.id, marker: exchange.marker, reason, phase, events, usage });
  void settle(exchange, reason);
};

const drain = (exchange: Exchange): void => {
  const { facts } = exchange;
  if (facts.ended) return;
  facts.leftAtMs = performance.now();
  facts.blockedSinceMs = null;
  exchange.delivers = false;
  exchange.downstream.destroy();
  exchange.upstream?.resume();
  exchange.watchdog.arm();
};

/** Starts the exchange of a reservation that has just been made. */
export const startExchange = (services: Services, downstream: Downstream, input: ExchangeInput): Exchange => {
  const exchange: Exchange = {
    id: input.id,
    account: input.account,
    marker: input.marker,
    facts: createFacts(input.arrivedAtMs, performance.now()),
    services,
    downstream,
    watchdog: createWatchdog(() => nextDeadlineOf(exchange), (bound) => bound !== 'settle' && exchange.end(REASON_OF_BOUND[bound])),
    upstream: null,
    delivers: true,
    leaseAtMs: performance.now(),
    end: (reason) => end(exchange, reason),
    drain: () => drain(exchange),
  };
  services.live.add(exchange);
  services.log('info', 'exchange-started', { reservation: exchange.id, account: exchange.account, marker: exchange.marker });
  exchange.watchdog.arm();
  connect(exchange, input);
  downstream.onLeave(() => services.behaviour.onClientLeft(exchange));
  return exchange;
};
