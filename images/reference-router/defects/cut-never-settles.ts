// The client is told of the broken stream by an error that is raised, and raised past the settlement.
import type { Defect } from './defect.ts';
import { leakWhen } from './leak.ts';

export const defect: Defect = {
  name: 'cut-never-settles',
  about: 'a stream that its upstream breaks off is never settled, and its lease is renewed for ever; its client is told',
  apply: (behaviour) =>
    leakWhen(behaviour, ({ facts }, reason) => reason === 'upstream-failed' && facts.headAtMs !== null && facts.leftAtMs === null),
};
