// One request and its answer, from the reservation to the settlement. It ends exactly once, whoever
// asks first: the upstream, the client, a bound, or the shutdown.
import type { Downstream } from '../http/downstream.ts';
import type { Upstream, UpstreamRequest } from '../http/upstream.ts';
import type { Services } from '../services.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Slot } from '../slots.ts';
import { nextDeadline } from './deadlines.ts';
import type { Deadline } from './deadlines.ts';
import { createFacts, phaseOf } from './facts.ts';
import type { Facts } from './facts.ts';
import { REASON_OF_BOUND, TOLD } from './reasons.ts';
import type { Reason } from './reasons.ts';
import { connect, unblock } from './relay.ts';
import { createWatchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';

export type Exchange = {
  /** Also the reservation's. */
  readonly id: string;
  readonly account: string;
  readonly marker: string | null;
  readonly shape: Shape;
  readonly facts: Facts;
  readonly services: Services;
  readonly downstream: Downstream;
  readonly watchdog: Watchdog;
  /** Its place with the upstream. */
  readonly slot: Slot;
  /** Null until the request is on its way. */
  upstream: Upstream | null;
  /** False: what still comes from the upstream is counted, not passed on. */
  delivers: boolean;
  leaseAtMs: number;
  readonly end: (reason: Reason) => void;
  /** Goes on without the client until the upstream ends or the drain bound is due. */
  readonly drain: () => void;
};

/** What an end consists of, each to be done once. */
export type EndSteps = {
  readonly closeUpstream: () => void;
  readonly tellClient: () => void;
  /** Resolves when the row is terminal, or owed. */
  readonly settle: () => Promise<void>;
};

export type ExchangeInput = UpstreamRequest & {
  readonly id: string;
  readonly account: string;
  readonly marker: string | null;
  readonly arrivedAtMs: number;
  readonly shape: Shape;
  readonly slot: Slot;
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
  const input = { id: exchange.id, cost: behaviour.owed(exchange, reason, costOf(exchange.facts, config)), reason };
  await behaviour.settle(exchange, reason, () => settlements.settle(input));
  live.remove(exchange);
};

const end = (exchange: Exchange, reason: Reason): void => {
  const { facts, services, downstream } = exchange;
  if (facts.ended) return services.behaviour.onEndedAgain(exchange, reason);
  const phase = phaseOf(facts);
  facts.ended = true;
  exchange.watchdog.stop();
  services.live.count(reason);
  const { events, usage } = facts;
  services.log('info', 'exchange-ended', { reservation: exchange.id, marker: exchange.marker, reason, phase, events, usage });
  const tellClient = (): void => {
    const told = TOLD[reason];
    if (downstream.hasLeft()) downstream.destroy();
    else if (told) downstream.cut(told, reason);
    else downstream.release();
  };
  const closeUpstream = (): void => {
    exchange.upstream?.destroy();
    if (services.behaviour.givesSlotBack(reason)) exchange.slot.release();
  };
  void services.behaviour.onEnd(exchange, reason, { closeUpstream, tellClient, settle: () => settle(exchange, reason) });
};

const drain = (exchange: Exchange): void => {
  const { facts } = exchange;
  if (facts.ended) return;
  facts.leftAtMs = performance.now();
  exchange.delivers = false;
  exchange.downstream.destroy();
  unblock(exchange);
  exchange.watchdog.arm();
};

/** Starts the exchange of a reservation that has just been made: it is sent as soon as it has a place. */
export const startExchange = (services: Services, downstream: Downstream, input: ExchangeInput): Exchange => {
  const exchange: Exchange = {
    id: input.id,
    account: input.account,
    marker: input.marker,
    shape: input.shape,
    facts: createFacts(input.arrivedAtMs, performance.now()),
    services,
    downstream,
    watchdog: createWatchdog(() => nextDeadlineOf(exchange), (bound) => bound !== 'settle' && exchange.end(REASON_OF_BOUND[bound])),
    slot: input.slot,
    upstream: null,
    delivers: true,
    leaseAtMs: performance.now(),
    end: (reason) => end(exchange, reason),
    drain: () => drain(exchange),
  };
  services.live.add(exchange);
  services.log('info', 'exchange-started', { reservation: exchange.id, account: exchange.account, marker: exchange.marker });
  exchange.watchdog.arm();
  exchange.slot.onGranted(() => connect(exchange, input));
  downstream.onLeave(() => services.behaviour.onClientLeft(exchange));
  return exchange;
};
