// The finalisation after an upstream error gets stuck, and the shutdown awaits every finalisation.
import type { Facts } from '../exchange/facts.ts';
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'shutdown-waits-for-settlement',
  about: 'after an upstream error the settlement never ends, its lease is renewed, and the shutdown waits for it',
  apply: (behaviour) => {
    const stuck = new WeakSet<Facts>();
    return {
      ...behaviour,
      settle: (exchange, reason, settle) => {
        if (reason !== 'upstream-failed') return behaviour.settle(exchange, reason, settle);
        stuck.add(exchange.facts);
        return new Promise(() => undefined);
      },
      mayRenew: (facts, isDue) => stuck.has(facts) || behaviour.mayRenew(facts, isDue),
      shutdownSettlementsMs: () => Number.POSITIVE_INFINITY,
    };
  },
};
