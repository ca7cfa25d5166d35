// The upstream is closed in the end, but what it produced for nobody is charged.
import type { Defect } from './defect.ts';

const READS_ON_MS = 3_000;

export const defect: Defect = {
  name: 'bills-after-leave',
  about: 'after the client has left the upstream is read on for 3 s, and all of it is charged',
  apply: (behaviour) => ({
    ...behaviour,
    onClientLeft: (exchange) => {
      exchange.drain();
      setTimeout(() => exchange.end('client-left'), READS_ON_MS);
    },
  }),
};
