// The clean-up of a request hangs on the object of its answer, which there is none of yet.
import type { Defect } from './defect.ts';
import { leakWhen } from './leak.ts';

export const defect: Defect = {
  name: 'leaks-on-cancel-before',
  about: 'a client that leaves before the answer has begun leaves its reservation active, and renewed',
  apply: (behaviour) => leakWhen(behaviour, ({ facts }, reason) => reason === 'client-left' && facts.headAtMs === null),
};
