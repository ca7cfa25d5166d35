// Whoever waits in the queue is looked at only when it is their turn, and then not for whether they are there.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'serves-the-gone-from-queue',
  about: 'a client that leaves while it is queued is not noticed, and its request is sent when it is its turn',
  apply: (behaviour) => ({
    ...behaviour,
    onClientLeft: (exchange) => {
      if (exchange.facts.sentAtMs === null) exchange.delivers = false;
      else behaviour.onClientLeft(exchange);
    },
  }),
};
