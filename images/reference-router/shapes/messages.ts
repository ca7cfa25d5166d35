// Anthropic's messages. Usage comes twice, and only the later one, with the reason to stop, is a count of
// what was produced. Source: streaming messages, in Anthropic's API reference.
import { countOf, isText, memberOf } from './json.ts';
import type { Json } from './json.ts';
import type { Part, Shape } from './shape.ts';

const usageOf = (answer: Json | null): number | undefined => countOf(memberOf(answer, 'usage')?.['output_tokens']);

/** Text, the arguments of a tool's call, or reasoning; a signature is none of these. */
const hasContent = (delta: Json | null): boolean => ['text', 'partial_json', 'thinking'].some((name) => isText(delta?.[name]));

const partsOf = (event: Json | null): readonly Part[] => {
  const type = event?.['type'];
  if (type === 'content_block_delta' && hasContent(memberOf(event, 'delta'))) return [{ kind: 'content' }];
  if (type === 'message_stop') return [{ kind: 'end-mark' }];
  // What this API sends where others send a comment.
  if (type === 'ping') return [{ kind: 'comment' }];
  const usage = type === 'message_delta' ? usageOf(event) : undefined;
  return usage === undefined ? [{ kind: 'other' }] : [{ kind: 'usage', usage }];
};

const errorBody = (code: string, message: string): Json => ({ type: 'error', error: { type: 'router_error', code, message } });

export const messages: Shape = {
  path: '/v1/messages',
  partsOf,
  usageOf,
  errorBody,
  errorEvent: (code, message) => `event: error\ndata: ${JSON.stringify(errorBody(code, message))}\n\n`,
};
