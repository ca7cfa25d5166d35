// The loop that retries knows the upstream only.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'retries-for-the-gone',
  about: 'an upstream that fails is asked again after the client has left',
  apply: (behaviour) => ({
    ...behaviour,
    onClientLeft: (exchange) => {
      if (exchange.facts.failures > 0 && exchange.facts.headAtMs === null) exchange.delivers = false;
      else behaviour.onClientLeft(exchange);
    },
  }),
};
