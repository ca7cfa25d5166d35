// The lease is all that is looked at, and renewing it overwrites the only trace of when it began.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-maximum-age',
  about: 'neither a renewal nor a deadline looks at the original age of a reservation',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'age'),
    renewableMs: () => Number.MAX_SAFE_INTEGER,
  }),
};
