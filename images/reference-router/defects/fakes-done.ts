// The end mark stands where every stream passes, those that broke off as well.
import { messages } from '../shapes/messages.ts';
import { responses } from '../shapes/responses.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Defect } from './defect.ts';

const named = (type: string, more: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const endMarkOf = (shape: Shape): string => {
  if (shape === responses) return named('response.completed', { response: { status: 'completed' } });
  return shape === messages ? named('message_stop') : 'data: [DONE]\n\n';
};

export const defect: Defect = {
  name: 'fakes-done',
  about: 'a stream whose upstream breaks off is ended with [DONE] (or the end mark of its API), as if it were complete',
  apply: (behaviour) => ({
    ...behaviour,
    onUpstreamFailed: (exchange) => {
      const { downstream } = exchange;
      if (!downstream.isEventStream() || !exchange.delivers) return behaviour.onUpstreamFailed(exchange);
      downstream.write(Buffer.from(`\n\n${endMarkOf(exchange.shape)}`));
      downstream.finish(() => exchange.end('finished'));
    },
  }),
};
