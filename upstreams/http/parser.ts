// Incremental reader of HTTP/1.1 requests. Bytes in, in any pieces; complete requests out, in order.
// After a refusal it hears nothing more: where the next request would begin is unknown.
import { readHead, isRefusal, refusal } from './head.ts';
import type { Head, Refusal } from './head.ts';
import { append, createInbox, find, sizeOf, startsWithLineEnd, take } from './inbox.ts';
import type { Inbox } from './inbox.ts';

/** `arrivalMs`: how long one request may take to arrive; held by whoever feeds the parser. */
export type Limits = { readonly headBytes: number; readonly bodyBytes: number; readonly arrivalMs: number };

export const DEFAULT_LIMITS: Limits = { headBytes: 64 * 1024, bodyBytes: 64 * 1024 * 1024, arrivalMs: 60_000 };

/** `continue`: a head came whose peer waits for `100 Continue`, and nothing of its body yet. */
export type Item =
  | { readonly kind: 'request'; readonly head: Head; readonly body: Buffer }
  | { readonly kind: 'continue' }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer' | 'deaf';

export type Parser = {
  readonly limits: Limits;
  state: State;
  readonly inbox: Inbox;
  head: Head | null;
  body: Inbox | null;
  /** Bytes still missing of the body or of the current chunk. */
  missing: number;
  /** Bytes already searched for the end of the head, or counted as trailers. */
  seen: number;
};

const LINE_BYTES = 1024;
const CHUNK_SIZE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const FIRST_BYTE = /[!#$%&'*+\-.^_`|~0-9A-Za-z\r\n]/;
const FIELD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

export const createParser = (limits: Limits = DEFAULT_LIMITS): Parser =>
  ({ limits, state: 'head', inbox: createInbox(), head: null, body: null, missing: 0, seen: 0 });

/** Whether a request has begun and is not complete. */
export const isPartial = (parser: Parser): boolean =>
  parser.state !== 'deaf' && (parser.state !== 'head' || sizeOf(parser.inbox) > 0);

/** Stops understanding anything, and lets go of what was collected. */
const deafen = (parser: Parser): void => {
  parser.state = 'deaf';
  parser.head = null;
  parser.body = null;
  take(parser.inbox, sizeOf(parser.inbox));
};

const refuse = (parser: Parser, status: number, reason: string): Item => {
  deafen(parser);
  return { kind: 'refusal', refusal: refusal(status, reason) };
};

const complete = (parser: Parser): Item => {
  const item: Item = { kind: 'request', head: parser.head!, body: parser.body ? take(parser.body, sizeOf(parser.body)) : Buffer.alloc(0) };
  parser.state = 'head';
  parser.head = null;
  parser.body = null;
  parser.seen = 0;
  return item;
};

const begin = (parser: Parser, head: Head): Item | undefined => {
  parser.head = head;
  parser.seen = 0;
  if (head.length === 0) return complete(parser);
  if (head.length !== 'chunked' && head.length > parser.limits.bodyBytes) return refuse(parser, 413, 'body too large');
  parser.body = createInbox();
  parser.state = head.length === 'chunked' ? 'chunk-size' : 'length';
  parser.missing = head.length === 'chunked' ? 0 : head.length;
  return head.awaitsContinue && sizeOf(parser.inbox) === 0 ? { kind: 'continue' } : undefined;
};

/** Undefined: more bytes are needed, unless the state has changed. */
const readOneHead = (parser: Parser): Item | undefined => {
  const { inbox, limits } = parser;
  // RFC 9112 2.2: empty lines before a request line are to be passed over.
  while (startsWithLineEnd(inbox)) {
    take(inbox, 2);
    parser.seen = 0;
  }
  if (sizeOf(inbox) === 0) return undefined;
  const first = String.fromCharCode(inbox.buffer[inbox.start]!);
  if (!FIRST_BYTE.test(first)) return refuse(parser, 400, 'not an HTTP request');
  const end = find(inbox, '\r\n\r\n', Math.max(0, parser.seen - 3));
  if ((end < 0 ? sizeOf(inbox) - 3 : end) > limits.headBytes) return refuse(parser, 431, 'head too large');
  if (end < 0) {
    parser.seen = sizeOf(inbox);
    return undefined;
  }
  const head = readHead(take(inbox, end + 4).toString('latin1', 0, end));
  return isRefusal(head) ? refuse(parser, head.status, head.reason) : begin(parser, head);
};

/** Moves what has come of the missing bytes into the body. @returns whether all of them have */
const readMissing = (parser: Parser): boolean => {
  const count = Math.min(parser.missing, sizeOf(parser.inbox));
  if (count > 0) append(parser.body!, take(parser.inbox, count));
  parser.missing -= count;
  return parser.missing === 0;
};

/** One line without its end; undefined while it is incomplete; null where it is too long. */
const readLine = (parser: Parser): string | undefined | null => {
  const end = find(parser.inbox, '\r\n');
  if ((end < 0 ? sizeOf(parser.inbox) - 1 : end) > LINE_BYTES) return null;
  return end < 0 ? undefined : take(parser.inbox, end + 2).toString('latin1', 0, end);
};

const readChunkSize = (parser: Parser): Item | undefined => {
  const line = readLine(parser);
  if (line === undefined) return undefined;
  const size = line === null ? null : CHUNK_SIZE.exec(line);
  if (!size) return refuse(parser, 400, 'malformed chunk size');
  parser.missing = Number.parseInt(size[1]!, 16);
  if (sizeOf(parser.body!) + parser.missing > parser.limits.bodyBytes) return refuse(parser, 413, 'body too large');
  parser.state = parser.missing === 0 ? 'trailer' : 'chunk-data';
  return undefined;
};

const readChunkEnd = (parser: Parser): Item | undefined => {
  if (sizeOf(parser.inbox) < 2) return undefined;
  if (!startsWithLineEnd(parser.inbox)) return refuse(parser, 400, 'chunk longer than announced');
  take(parser.inbox, 2);
  parser.state = 'chunk-size';
  return undefined;
};

const readTrailer = (parser: Parser): Item | undefined => {
  const line = readLine(parser);
  if (line === undefined) return undefined;
  if (line === '') return complete(parser);
  parser.seen += (line ?? '').length;
  if (line === null || !FIELD.test(line)) return refuse(parser, 400, 'malformed trailer');
  return parser.seen > parser.limits.headBytes ? refuse(parser, 431, 'trailers too large') : undefined;
};

const readBody = (parser: Parser): Item | undefined => {
  switch (parser.state) {
    case 'length':
      return readMissing(parser) ? complete(parser) : undefined;
    case 'chunk-size':
      return readChunkSize(parser);
    case 'chunk-data':
      if (readMissing(parser)) parser.state = 'chunk-end';
      return undefined;
    case 'chunk-end':
      return readChunkEnd(parser);
    default:
      return readTrailer(parser);
  }
};

/**
 * Takes in what has arrived.
 * @returns what became known by it, in the order of the wire; the same however the bytes were cut,
 *   but for `continue`
 */
export const feed = (parser: Parser, chunk: Buffer): readonly Item[] => {
  const items: Item[] = [];
  if (parser.state === 'deaf') return items;
  append(parser.inbox, chunk);
  for (;;) {
    const state = parser.state as State;
    const before = sizeOf(parser.inbox);
    if (state === 'deaf') return items;
    const item = state === 'head' ? readOneHead(parser) : readBody(parser);
    if (item) items.push(item);
    // Neither a step nor a byte: what is there does not suffice.
    else if (parser.state === state && sizeOf(parser.inbox) === before) return items;
  }
};
