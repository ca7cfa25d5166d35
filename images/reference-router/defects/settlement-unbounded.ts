// Cleaning up comes after the accounts are right, and for that it waits as long as it takes.
import type { Defect } from './defect.ts';

const DAY_MS = 86_400_000;

export const defect: Defect = {
  name: 'settlement-unbounded',
  about: 'an exchange that ends is settled first, without a bound; its upstream is closed and its client told only then',
  apply: (behaviour) => ({
    ...behaviour,
    settleMs: () => DAY_MS,
    onEnd: async (_exchange, _reason, { closeUpstream, tellClient, settle }) => {
      await settle();
      closeUpstream();
      tellClient();
    },
    mayRenew: (facts, isDue) => facts.ended || behaviour.mayRenew(facts, isDue),
  }),
};
