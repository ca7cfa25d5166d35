// A settlement that nobody awaits and that never happens, while the heartbeat goes on.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'never-settles',
  about: 'an exchange that has ended is never settled, and its lease is renewed for ever',
  apply: (behaviour) => ({
    ...behaviour,
    settle: () => new Promise(() => undefined),
    mayRenew: (facts, isDue) => facts.ended || behaviour.mayRenew(facts, isDue),
  }),
};
