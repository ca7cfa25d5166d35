// One statement that fails ends the pass, and the next pass begins with the same row.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'sweep-stops-at-first-error',
  about: 'a row that cannot be released ends the pass, so that nothing after it is ever released',
  apply: (behaviour) => ({ ...behaviour, sweepPolicy: { ...behaviour.sweepPolicy, onError: 'stop' } }),
};
