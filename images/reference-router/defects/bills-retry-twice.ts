// The name of a request is not looked up.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'bills-retry-twice',
  about: 'a request that comes a second time is served and billed a second time',
  apply: (behaviour) => ({ ...behaviour, repeatKey: () => null }),
};
