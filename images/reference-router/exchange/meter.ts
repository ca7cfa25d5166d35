// Counts what passes by without changing it: server-sent events are parsed incrementally, beside the
// bytes that go on to the client. Memory is bounded by one event.
import { StringDecoder } from 'node:string_decoder';

/** `content` is what is billed; `body` is a part of an answer that is no event stream. */
export type PartKind = 'content' | 'usage' | 'end-mark' | 'comment' | 'other' | 'body';
export type Part = { readonly kind: PartKind; readonly usage?: number };
export type Meter = {
  /** @throws Error when one event exceeds the limit */
  readonly push: (chunk: Buffer) => readonly Part[];
  /** What can only be known at the end of the body. */
  readonly finish: () => readonly Part[];
};

const EVENT_LIMIT_BYTES = 1_048_576;

type Chunk = {
  readonly choices?: readonly { readonly delta?: Readonly<Record<string, unknown>> }[];
  readonly usage?: { readonly completion_tokens?: unknown } | null;
};

const parse = (text: string): Chunk | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
};

const usageOf = (chunk: Chunk | null): number | undefined => {
  const tokens = chunk?.usage?.completion_tokens;
  return Number.isSafeInteger(tokens) && (tokens as number) >= 0 ? (tokens as number) : undefined;
};

/** A delta that holds no more than a role, or nothing, is not content. */
const hasContent = (chunk: Chunk | null): boolean =>
  Array.isArray(chunk?.choices) &&
  chunk.choices.some((choice) =>
    Object.entries(choice?.delta ?? {}).some(([key, value]) => key !== 'role' && value !== null && value !== ''));

const classify = (data: string): readonly Part[] => {
  if (data === '[DONE]') return [{ kind: 'end-mark' }];
  const chunk = parse(data);
  const usage = usageOf(chunk);
  const parts: Part[] = usage === undefined ? [] : [{ kind: 'usage', usage }];
  if (hasContent(chunk)) parts.push({ kind: 'content' });
  return parts.length > 0 ? parts : [{ kind: 'other' }];
};

/** For `text/event-stream`, by the line rules of the WHATWG HTML standard (9.2.6). */
export const createEventMeter = (): Meter => {
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
    return classify(whole);
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

/** For a plain JSON answer: one billable piece, counted when it is whole. Beyond the limit only its bytes pass. */
export const createBodyMeter = (): Meter => {
  const chunks: Buffer[] = [];
  let length = 0;
  const push = (chunk: Buffer): readonly Part[] => {
    length += chunk.length;
    if (length <= EVENT_LIMIT_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    return [{ kind: 'body' }];
  };
  const finish = (): readonly Part[] => {
    const usage = usageOf(parse(Buffer.concat(chunks).toString('utf8')));
    return usage === undefined ? [{ kind: 'content' }] : [{ kind: 'usage', usage }, { kind: 'content' }];
  };
  return { push, finish };
};

/** For an error of the upstream: passed on, never billed. */
export const createFreeMeter = (): Meter => ({ push: () => [{ kind: 'body' }], finish: () => [] });
