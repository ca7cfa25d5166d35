// A refund leaves cleaning up to the background, however rarely that comes by.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'refund-skips-cleanup',
  about: 'a refund does not give back what is stale before it asks whether anything is reserved',
  apply: (behaviour) => ({ ...behaviour, sweepsBeforeRefund: false }),
};
