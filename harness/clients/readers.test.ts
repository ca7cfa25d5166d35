// What is counted in each kind of body, wherever it is cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContentReader } from './content-reader.ts';

type Counted = { events: number; comments: number; usage: number | null; endMark: boolean; errorEvent: string | null };

const read = (contentType: string | undefined, pieces: readonly string[], ends = true): Counted => {
  const reader = createContentReader(contentType);
  for (const piece of pieces) reader.feed(piece);
  if (ends) reader.end();
  return {
    events: reader.events(), comments: reader.comments(), usage: reader.usage(), endMark: reader.endMark(), errorEvent: reader.errorEvent(),
  };
};

const typed = (type: string, rest: object = {}): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

const RESPONSES = [
  typed('response.created', { response: { status: 'in_progress', usage: null } }),
  typed('response.output_item.added', { item: { content: [] } }),
  typed('response.output_text.delta', { delta: 'a' }),
  ': keepalive\n\n',
  typed('response.output_text.delta', { delta: '' }),
  typed('response.output_text.delta', { delta: 'b' }),
  typed('response.output_text.done', { text: 'ab' }),
  typed('response.completed', { response: { status: 'completed', usage: { output_tokens: 2 }, error: null } }),
].join('');

const MESSAGES = [
  typed('message_start', { message: { usage: { output_tokens: 1 } } }),
  typed('content_block_start', { content_block: { type: 'text', text: '' } }),
  typed('ping'),
  typed('content_block_delta', { delta: { type: 'text_delta', text: 'a' } }),
  typed('content_block_delta', { delta: { type: 'input_json_delta', partial_json: '{' } }),
  typed('content_block_delta', { delta: { type: 'signature_delta', signature: 'x' } }),
  typed('content_block_stop'),
  typed('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
  typed('message_stop'),
].join('');

const LINES = [
  '{"message":{"content":"a"},"done":false}\n', '\n', '{"response":"b","done":false}\r\n', '{"any":"object"}\n', 'no json\n',
  '{"message":{"content":""},"done":true,"eval_count":3}\n',
].join('');

const DOCUMENT = '\n\r\n\n{"choices":[{"message":{"content":"größer"}}],"usage":{"completion_tokens":7}}';

const CASES = {
  responses: ['text/event-stream', RESPONSES, { events: 2, comments: 1, usage: 2, endMark: true, errorEvent: null }],
  messages: ['text/event-stream; charset=utf-8', MESSAGES, { events: 2, comments: 1, usage: 2, endMark: true, errorEvent: null }],
  lines: ['application/x-ndjson', LINES, { events: 3, comments: 1, usage: 3, endMark: true, errorEvent: null }],
  document: [
    'Application/JSON', Buffer.from(DOCUMENT).toString('latin1'), { events: 7, comments: 3, usage: 7, endMark: true, errorEvent: null },
  ],
  text: ['text/plain', 'one\ntwo\nthr', { events: 2, comments: 0, usage: null, endMark: true, errorEvent: null }],
} as const;

describe.each(Object.entries(CASES))('%s', (_name, [type, text, counted]) => {
  it('is counted the same at whatever places it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const at = [...new Set([0, ...places.map((place) => place % (text.length + 1)), text.length])].sort((a, b) => a - b);
        expect(read(type, at.slice(1).map((end, index) => text.slice(at[index], end)))).toEqual(counted);
      }),
      { numRuns: 50 },
    );
    expect(read(type, [...text])).toEqual(counted);
  });
});

describe('an error', () => {
  it.each([
    ['text/event-stream', typed('error', { error: { type: 'overloaded_error' } })],
    ['text/event-stream', 'event: error\ndata: gone\n\n'],
    ['text/event-stream', typed('response.failed', { response: { error: { code: 'x' } } })],
    ['application/x-ndjson', '{"error":"gone"}\n'],
    ['application/json', '{"error":{"message":"gone"}}'],
  ])('of %s is no event and no end: %s', (type, text) => {
    const counted = read(type, [text]);
    expect(counted).toMatchObject({ events: 0, endMark: false });
    expect(counted.errorEvent).toEqual(expect.any(String));
  });
});

describe('a document', () => {
  it('is worth nothing until its message has ended, and nothing where it is broken', () => {
    expect(read('application/json', [DOCUMENT], false)).toMatchObject({ events: 0, usage: null, endMark: false, comments: 3 });
    expect(read('application/json', [DOCUMENT.slice(0, -1)])).toMatchObject({ events: 0, endMark: false });
  });

  it('without a usage is one event; of an API like these, any JSON', () => {
    expect(read('application/vnd.api+json', ['{"ok":true}'])).toMatchObject({ events: 1, usage: null, endMark: true });
    expect(read('application/json', ['{"content":[],"usage":{"output_tokens":0}}'])).toMatchObject({ events: 0, usage: 0, endMark: true });
  });

  it('that is too long to be kept is counted by its end', () => {
    const piece = 'x'.repeat(1024 * 1024);
    const parts = ['{"usage":{"output_tokens":1},"text":"', ...Array<string>(9).fill(piece), '","usage":{"output_tokens":12}}'];
    expect(read('application/json', parts)).toMatchObject({ events: 12, usage: 12, endMark: true });
  });
});

it('a body of another type, or of none, counts what is a stream of events in it', () => {
  expect(read(undefined, [RESPONSES])).toMatchObject({ events: 2 });
  expect(read('text/html', ['<p>data: 1</p>\n\n'])).toMatchObject({ events: 0, endMark: false });
});
