// OpenAI's responses. A stream has no mark of its own at the end: the last event is the whole response
// with its usage. Source: the streaming events of OpenAI's Responses API reference.
import { chat } from './chat.ts';
import { countOf, isText, memberOf } from './json.ts';
import type { Json } from './json.ts';
import type { Part, Shape } from './shape.ts';

const LAST: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

const usageOf = (answer: Json | null): number | undefined => countOf(memberOf(answer, 'usage')?.['output_tokens']);

const partsOf = (event: Json | null): readonly Part[] => {
  const type = event?.['type'];
  // Text, refusals, arguments of a call and reasoning come as deltas alike, and all of them are output tokens.
  if (isText(type) && type.endsWith('.delta') && isText(event?.['delta'])) return [{ kind: 'content' }];
  if (!LAST.includes(type)) return [{ kind: 'other' }];
  const usage = usageOf(memberOf(event, 'response'));
  return usage === undefined ? [{ kind: 'end-mark' }] : [{ kind: 'usage', usage }, { kind: 'end-mark' }];
};

export const responses: Shape = {
  path: '/v1/responses',
  partsOf,
  usageOf,
  errorBody: chat.errorBody,
  errorEvent: (code, message) => `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null })}\n\n`,
};
