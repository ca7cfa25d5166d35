// Only inactivity is bounded, so a stream that is never inactive has no end.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-request-lifetime',
  about: 'a request may take for ever as long as something happens',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'lifetime'),
  }),
};
