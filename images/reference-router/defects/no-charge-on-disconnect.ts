// A cancelled stream skips the part that counts, so leaving just before the end is free.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-charge-on-disconnect',
  about: 'what was delivered to a client that has left is not charged',
  apply: (behaviour) => ({
    ...behaviour,
    owed: (exchange, reason, cost) => (reason === 'client-left' ? 0 : behaviour.owed(exchange, reason, cost)),
  }),
};
