// The sweeper takes the age of a reservation for the age of its lease, and whoever works on it does not
// look at its row again.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'sweeper-steals-live-lease',
  about: 'the sweeper releases whatever was started more than a lease ago, renewed or not',
  apply: (behaviour) => ({
    ...behaviour,
    sweepPolicy: { ...behaviour.sweepPolicy, staleBy: 'start' },
    onLost: () => undefined,
  }),
};
