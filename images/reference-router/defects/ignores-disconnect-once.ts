// One of many: what a test with a few clients never meets.
import type { Defect } from './defect.ts';

const WHICH = 50;

export const defect: Defect = {
  name: 'ignores-disconnect-once',
  about: `the ${WHICH}th request whose client leaves goes on, and no other one`,
  apply: (behaviour) => {
    let leaves = 0;
    return {
      ...behaviour,
      onClientLeft: (exchange) => {
        leaves += 1;
        if (leaves === WHICH) exchange.delivers = false;
        else behaviour.onClientLeft(exchange);
      },
    };
  },
};
