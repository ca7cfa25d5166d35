// What of each API's stream is content, what is usage, and what is neither.
import { expect, test } from 'vitest';
import { chat } from './chat.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Json } from './json.ts';
import type { PartKind, Shape } from './shape.ts';

const kindsOf = (shape: Shape, event: Json): readonly PartKind[] => shape.partsOf(event, JSON.stringify(event)).map((part) => part.kind);

const text = { type: 'response.output_text.delta', delta: 'a' };
const CASES: readonly [Shape, Json, readonly PartKind[]][] = [
  [responses, { type: 'response.created', response: { usage: null } }, ['other']],
  [responses, text, ['content']],
  [responses, { ...text, delta: '' }, ['other']],
  [responses, { type: 'response.function_call_arguments.delta', delta: '{"a":' }, ['content']],
  [responses, { type: 'response.output_text.done', text: 'a' }, ['other']],
  [responses, { type: 'response.completed', response: { usage: { output_tokens: 3 } } }, ['usage', 'end-mark']],
  [responses, { type: 'response.incomplete', response: {} }, ['end-mark']],
  [responses, { type: 'error', message: 'x' }, ['other']],
  [messages, { type: 'message_start', message: { usage: { output_tokens: 1 } } }, ['other']],
  [messages, { type: 'ping' }, ['comment']],
  [messages, { type: 'content_block_start', content_block: { type: 'text', text: '' } }, ['other']],
  [messages, { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } }, ['content']],
  [messages, { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } }, ['content']],
  [messages, { type: 'content_block_delta', delta: { type: 'signature_delta', signature: 'x' } }, ['other']],
  [messages, { type: 'message_delta', usage: { output_tokens: 3 } }, ['usage']],
  [messages, { type: 'message_stop' }, ['end-mark']],
  [chat, { choices: [null, { delta: null }] }, ['other']],
  [chat, { choices: [{ delta: { tool_calls: [{}] } }], usage: { completion_tokens: 1 } }, ['usage', 'content']],
];

test.each(CASES)('%#', (shape, event, expected) => {
  expect(kindsOf(shape, event), JSON.stringify(event)).toEqual(expected);
});

test.each([chat, responses, messages])('$path: what is no object is nothing, and usage that is no count is none', (shape) => {
  expect(shape.partsOf(null, 'nonsense')).toEqual([{ kind: 'other' }]);
  expect(shape.usageOf(null)).toBeUndefined();
  expect(shape.usageOf({ usage: { output_tokens: -1, completion_tokens: '3' } })).toBeUndefined();
});

test.each([chat, responses, messages])('$path: an error in the stream is an event of its own', (shape) => {
  const event = shape.errorEvent('read-timeout', 'went silent');
  expect(event).toMatch(/^(event: error\n)?data: \{.*"read-timeout".*\}\n\n$/);
  expect(event).not.toContain('[DONE]');
});
