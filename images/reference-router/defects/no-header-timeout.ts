// An upstream that accepts the request and never starts to answer is waited for.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-header-timeout',
  about: 'an upstream may take for ever to start its answer',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'header'),
  }),
};
