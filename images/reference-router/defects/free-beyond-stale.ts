// The settlement takes a reservation that is older than a lease for one that was swept long ago.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'free-beyond-stale',
  about: 'a request that took longer than a lease is released uncharged, though it was renewed to its end',
  apply: (behaviour) => ({
    ...behaviour,
    owed: (exchange, reason, cost) => {
      const ageMs = performance.now() - exchange.facts.reservedAtMs;
      return ageMs > exchange.services.config.leaseMs ? 0 : behaviour.owed(exchange, reason, cost);
    },
  }),
};
