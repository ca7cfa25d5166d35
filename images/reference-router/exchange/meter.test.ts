// Events are counted wherever the stream happens to be cut into chunks.
import { expect, test } from 'vitest';
import { chat } from '../shapes/chat.ts';
import type { Part } from '../shapes/shape.ts';
import { createBodyMeter, createEventMeter } from './meter.ts';

const content = (text: string): string => JSON.stringify({ choices: [{ delta: { content: text } }] });
const STREAM = [
  `data: ${JSON.stringify({ choices: [{ delta: { role: 'assistant', content: '' } }] })}\n\n`,
  `data: ${content('äöü€😀')}\n\n`,
  ': keepalive\n\n',
  `event: message\r\ndata:${content('b')}\r\n\r\n`,
  `data: {"choices":\ndata: [{"delta":{"content":"two lines"}}]}\n\n`,
  'data: {"choices":[],"usage":{"completion_tokens":3}}\n\n',
  'data: not json\n\n',
  'data: [DONE]\n\n',
].join('');
const EXPECTED = ['other', 'content', 'comment', 'content', 'content', 'usage', 'other', 'end-mark'];

const kinds = (parts: readonly Part[]): readonly string[] => parts.map((part) => part.kind);

test.each([1, 2, 3, 7, 64, 100_000])('in chunks of %i bytes', (size) => {
  const meter = createEventMeter(chat);
  const bytes = Buffer.from(STREAM);
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(...meter.push(bytes.subarray(at, at + size)));
  expect(kinds(parts)).toEqual(EXPECTED);
  expect(parts.find((part) => part.kind === 'usage')?.usage).toBe(3);
});

test('an event without its blank line is not counted', () => {
  expect(createEventMeter(chat).push(Buffer.from(`data: ${content('a')}\n`))).toEqual([]);
});

test('an endless line is an error, not endless memory', () => {
  const meter = createEventMeter(chat);
  const chunk = Buffer.alloc(262_144, 'x');
  expect(() => { for (let n = 0; n < 8; n += 1) meter.push(chunk); }).toThrow(/exceeds/);
});

test('a plain body is counted once it is whole', () => {
  const meter = createBodyMeter(chat);
  expect(kinds(meter.push(Buffer.from('{"usage":{"completion_')))).toEqual(['body']);
  meter.push(Buffer.from('tokens":9}}'));
  expect(meter.finish()).toEqual([{ kind: 'usage', usage: 9 }, { kind: 'content' }]);
});
