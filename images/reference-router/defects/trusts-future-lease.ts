// Whoever wrote that timestamp is believed to know what time it is.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'trusts-future-lease',
  about: 'a lease that lies in the future is valid until then, though nobody renews it',
  apply: (behaviour) => ({ ...behaviour, sweepPolicy: { ...behaviour.sweepPolicy, staleBy: 'lease-unless-future' } }),
};
