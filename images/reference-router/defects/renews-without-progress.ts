// The lease belongs to a task that is alive, not to one that gets somewhere.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'renews-without-progress',
  about: 'neither the heartbeat nor a deadline asks whether the exchange makes progress',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'progress'),
    mayRenew: (facts) => !facts.ended || behaviour.mayRenew(facts, false),
  }),
};
