// An HTTP client whose timeouts were switched off so that long generations would not break.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'no-read-timeout',
  about: 'an upstream may be silent for ever',
  apply: (behaviour) => ({
    ...behaviour,
    deadlines: (facts, limits) => behaviour.deadlines(facts, limits).filter((deadline) => deadline.bound !== 'read'),
  }),
};
