// The error of a broken upstream is raised where nobody listens any more: the exchange hangs, its
// timers already gone, its heartbeat not.
import type { Facts } from '../exchange/facts.ts';
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'loses-upstream-error',
  about: 'a stream whose upstream breaks off hangs, unbounded and renewed',
  apply: (behaviour) => {
    const lost = new WeakSet<Facts>();
    return {
      ...behaviour,
      onUpstreamFailed: (exchange) => {
        if (exchange.facts.headAtMs === null) behaviour.onUpstreamFailed(exchange);
        else lost.add(exchange.facts);
      },
      deadlines: (facts, limits) => (lost.has(facts) ? [] : behaviour.deadlines(facts, limits)),
    };
  },
};
