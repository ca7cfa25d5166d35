// What several defects have in common: a settlement that never happens, while the lease is renewed, so
// that the sweeper does not hide it.
import type { Behaviour } from '../behaviour.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Facts } from '../exchange/facts.ts';
import type { Reason } from '../exchange/reasons.ts';

/** The reservation of an exchange that ends in this way stays active for ever. */
export const leakWhen = (behaviour: Behaviour, isLeaked: (exchange: Exchange, reason: Reason) => boolean): Behaviour => {
  const leaked = new WeakSet<Facts>();
  return {
    ...behaviour,
    settle: (exchange, reason, settle) => {
      if (!isLeaked(exchange, reason)) return behaviour.settle(exchange, reason, settle);
      leaked.add(exchange.facts);
      return new Promise(() => undefined);
    },
    mayRenew: (facts, isDue) => leaked.has(facts) || behaviour.mayRenew(facts, isDue),
  };
};
