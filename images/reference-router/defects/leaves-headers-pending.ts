// Disconnects are looked for in the loop that relays the body, which has not begun yet.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'leaves-headers-pending',
  about: 'a client that leaves before the upstream has answered is not noticed',
  apply: (behaviour) => ({
    ...behaviour,
    onClientLeft: (exchange) => {
      if (exchange.facts.headAtMs !== null) behaviour.onClientLeft(exchange);
    },
  }),
};
