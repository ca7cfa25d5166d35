// The place is given back where an answer ends, and an answer that is cancelled does not get there.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'leaks-slot',
  about: 'the place of an exchange whose client has left is never given back',
  apply: (behaviour) => ({ ...behaviour, givesSlotBack: (reason) => reason !== 'client-left' && behaviour.givesSlotBack(reason) }),
};
