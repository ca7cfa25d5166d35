// Reading on for the usage, however long it takes.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'drains-without-bound',
  about: 'under the drain policy the upstream is read on without the bound of its own',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'drain'),
  }),
};
