// Whatever no row explains is taken for a leftover, even if an older version is still working for it.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'clears-recent-aggregate',
  about: 'an aggregate without a row goes back however young it is',
  apply: (behaviour) => ({ ...behaviour, sweepPolicy: { ...behaviour.sweepPolicy, recent: 'clear' } }),
};
