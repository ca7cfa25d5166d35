// The seed's main finding: sends to a client that has gone are dropped without an error, so nobody
// notices, and the stream is read, renewed and billed to its end. A send that was blocked stays so.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'ignores-disconnect',
  about: 'after the client has left, in whatever phase and by whatever route, everything goes on',
  apply: (behaviour) => ({
    ...behaviour,
    onClientLeft: (exchange) => {
      exchange.delivers = false;
    },
  }),
};
