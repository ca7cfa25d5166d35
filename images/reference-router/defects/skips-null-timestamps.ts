// A comparison with NULL is never true, so the background pass does not find these.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'skips-null-timestamps',
  about: 'the background sweep passes over an aggregate that has no time; a refund still clears it',
  apply: (behaviour) => ({ ...behaviour, sweepPolicy: { ...behaviour.sweepPolicy, withoutTime: 'refund-only' } }),
};
