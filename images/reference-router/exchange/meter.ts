// Counts what passes by without changing it: server-sent events are parsed incrementally, beside the
// bytes that go on to the client. Memory is bounded by one event.
import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '../shapes/json.ts';
import type { Part, Shape } from '../shapes/shape.ts';

export type Meter = {
  /** @throws Error when one event exceeds the limit */
  readonly push: (chunk: Buffer) => readonly Part[];
  /** What can only be known at the end of the body. */
  readonly finish: () => readonly Part[];
};

const EVENT_LIMIT_BYTES = 1_048_576;

/** For `text/event-stream`, by the line rules of the WHATWG HTML standard (9.2.6). */
export const createEventMeter = (shape: Shape): Meter => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let data: string[] = [];
  let dataLength = 0;
  const line = (text: string): readonly Part[] => {
    if (text.startsWith(':')) return [{ kind: 'comment' }];
    if (text.startsWith('data:')) {
      data.push(text.slice(text[5] === ' ' ? 6 : 5));
      dataLength += text.length;
    }
    if (text !== '' || data.length === 0) return [];
    const whole = data.join('\n');
    data = [];
    dataLength = 0;
    return shape.partsOf(parseJson(whole), whole);
  };
  const push = (chunk: Buffer): readonly Part[] => {
    const lines = (rest + decoder.write(chunk)).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    const parts = lines.flatMap(line);
    if (rest.length + dataLength > EVENT_LIMIT_BYTES) throw new Error(`an event of the upstream exceeds ${EVENT_LIMIT_BYTES} bytes`);
    return parts;
  };
  return { push, finish: () => [] };
};

const isBlank = (chunk: Buffer): boolean => /^[ \t\r\n]*$/.test(chunk.toString('latin1'));

/** For a plain JSON answer: one billable piece, counted when it is whole. Beyond the limit only its bytes pass. */
export const createBodyMeter = (shape: Shape): Meter => {
  const chunks: Buffer[] = [];
  let length = 0;
  let hasBegun = false;
  const push = (chunk: Buffer): readonly Part[] => {
    // White space before the document is how some providers keep a connection warm: it is not an answer.
    hasBegun ||= !isBlank(chunk);
    if (!hasBegun) return [{ kind: 'comment' }];
    length += chunk.length;
    if (length <= EVENT_LIMIT_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    return [{ kind: 'body' }];
  };
  const finish = (): readonly Part[] => {
    if (!hasBegun) return [];
    const usage = shape.usageOf(parseJson(Buffer.concat(chunks).toString('utf8')));
    return usage === undefined ? [{ kind: 'content' }] : [{ kind: 'usage', usage }, { kind: 'content' }];
  };
  return { push, finish };
};

/** For an error of the upstream: passed on, never billed. */
export const createFreeMeter = (): Meter => ({ push: () => [{ kind: 'body' }], finish: () => [] });
