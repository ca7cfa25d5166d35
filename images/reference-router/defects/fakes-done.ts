// The end mark stands where every stream passes, those that broke off as well.
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'fakes-done',
  about: 'a stream whose upstream breaks off is ended with [DONE], as if it were complete',
  apply: (behaviour) => ({
    ...behaviour,
    onUpstreamFailed: (exchange) => {
      const { downstream, facts } = exchange;
      if (facts.headAtMs === null || !exchange.delivers) return behaviour.onUpstreamFailed(exchange);
      downstream.write(Buffer.from('\n\ndata: [DONE]\n\n'));
      downstream.finish(() => exchange.end('finished'));
    },
  }),
};
