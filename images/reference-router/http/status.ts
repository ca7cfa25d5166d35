// GET /status: what an operator needs to tell a lease that is being renewed from one that nobody
// cleans up. Identities of reservations and accounts, never a key or its hash.
import { nextDeadlineOf } from '../exchange/exchange.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { phaseOf } from '../exchange/facts.ts';
import type { Services } from '../services.ts';
import type { Sweeper } from '../sweeper.ts';

const describe = (exchange: Exchange, now: number): Readonly<Record<string, unknown>> => {
  const { facts } = exchange;
  const next = facts.ended ? null : nextDeadlineOf(exchange);
  return {
    reservation: exchange.id,
    account: exchange.account,
    marker: exchange.marker,
    phase: phaseOf(facts),
    events: facts.events,
    ageMs: Math.round(now - facts.reservedAtMs),
    leaseAgeMs: Math.round(now - exchange.leaseAtMs),
    lastByteAgoMs: facts.headAtMs === null ? null : Math.round(now - facts.lastByteAtMs),
    lastProgressAgoMs: facts.headAtMs === null ? null : Math.round(now - facts.progressAtMs),
    nextBound: next === null ? null : { bound: next.bound, inMs: Math.round(next.atMs - now) },
  };
};

export const statusOf = (services: Services, sweeper: Sweeper, isStopping: boolean): Readonly<Record<string, unknown>> => {
  const now = performance.now();
  const live = services.live.all().map((exchange) => describe(exchange, now));
  return {
    instance: services.instance,
    uptimeMs: Math.round(process.uptime() * 1_000),
    state: isStopping ? 'stopping' : 'serving',
    live,
    oldestAgeMs: live.length === 0 ? 0 : Math.max(...live.map((each) => each['ageMs'] as number)),
    ended: services.live.reasons(),
    slots: services.slots.counts(),
    ledger: { pending: services.ledger.pending(), owed: services.settlements.owed() },
    sweeps: sweeper.counts(),
  };
};
