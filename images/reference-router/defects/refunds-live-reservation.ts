// What is available is paid out without asking whether something is still going on.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'refunds-live-reservation',
  about: 'a refund is paid while a request of the account is live',
  apply: (behaviour) => ({ ...behaviour, refundsReserved: true }),
};
