// One request and its answer: what has been written, and the facts that are told of it.
import { nowMs } from '../harness/model/time.ts';
import type { Instruction } from './behaviour.ts';
import type { Block } from './block.ts';
import type { Link } from './link.ts';
import type { Format, ShapeDefinition, Subject } from './shapes/shape.ts';

export const PROGRESS_MS = 50;

/** How the end of the answer's body is told; `none` until a head was written. */
export type Framing = 'none' | 'chunked' | 'length' | 'until-close';

/** A list of the program being run: where it stands, how many rounds are left, a limit in bytes, and the list around it. */
export type Frame = {
  readonly list: readonly Instruction[];
  index: number;
  left: number;
  readonly stopAtBytes: number;
  readonly outer: Frame | null;
};

export const frameOf = (list: readonly Instruction[], left = 1, stopAtBytes = Infinity, outer: Frame | null = null): Frame =>
  ({ list, index: 0, left, stopAtBytes, outer });

/** Of a silent stream this record is most of what it costs, so it is flat, and no part is made before it is needed. */
export type Exchange = Subject & {
  readonly number: number;
  readonly marker: string | null;
  readonly link: Link;
  readonly shape: ShapeDefinition;
  /** The shape's for this request. */
  readonly format: Format;
  /** What the request allows: chunks (HTTP/1.1), a body at all (not HEAD), another request afterwards. */
  readonly chunks: boolean;
  readonly bodyless: boolean;
  keepAlive: boolean;
  /** The innermost list; null when the program has run out. */
  frame: Frame | null;
  framing: Framing;
  /** Of the head; 0 until one was made. */
  status: number;
  headTold: boolean;
  /** Made but not yet handed to the socket: what is written in one turn goes out as one piece. */
  pending: string;
  block: Block | null;
  timer: NodeJS.Timeout | null;
  /** Totals of the body as made, without the framing of its chunks. */
  bytes: number;
  events: number;
  comments: number;
  /** The same as far as the socket took them: a write that failed at once was never made. Facts tell these. */
  readonly sent: { bytes: number; events: number; comments: number };
  usage: number | null;
  endMarked: boolean;
  /** What stands before all else of the body was written. */
  opened: boolean;
  /** The message ended as announced; what follows can only end the connection. */
  messageEnded: boolean;
  ended: boolean;
  by: 'script' | 'fault';
  /** When the kernel first did not take everything; 0 while it does. */
  blockedSinceMs: number;
  blockedNoted: boolean;
  dirty: boolean;
  writtenMs: number;
  notedMs: number;
};

export const createExchange = (
  link: Link,
  number: number,
  marker: string | null,
  [shape, format]: readonly [ShapeDefinition, Format],
  request: { readonly chunks: boolean; readonly bodyless: boolean; readonly keepAlive: boolean },
  program: readonly Instruction[],
): Exchange => ({
  number,
  marker,
  label: marker ?? `exchange-${number}`,
  createdS: Math.floor(Date.now() / 1000),
  link,
  shape,
  format,
  chunks: request.chunks,
  bodyless: request.bodyless,
  keepAlive: request.keepAlive,
  frame: frameOf(program),
  framing: 'none',
  status: 0,
  headTold: false,
  pending: '',
  block: null,
  timer: null,
  bytes: 0,
  events: 0,
  comments: 0,
  sent: { bytes: 0, events: 0, comments: 0 },
  usage: null,
  endMarked: false,
  opened: false,
  messageEnded: false,
  ended: false,
  by: 'script',
  blockedSinceMs: 0,
  blockedNoted: false,
  dirty: false,
  writtenMs: 0,
  notedMs: 0,
});

const noteProgress = (exchange: Exchange, stampMs: number, atMs: number): void => {
  const { upstream } = exchange.link;
  exchange.dirty = false;
  exchange.notedMs = atMs;
  const fact = { type: 'answer-progress', exchange: exchange.number, ...exchange.sent } as const;
  upstream.ledger.note(upstream.actor, fact, stampMs);
};

/** The head was handed over. */
export const tellHead = (exchange: Exchange, atMs: number): void => {
  const { upstream } = exchange.link;
  exchange.headTold = true;
  upstream.ledger.note(upstream.actor, { type: 'head-written', exchange: exchange.number, status: exchange.status }, atMs);
};

/** Something of the body was handed over: told at once, or with the next pulse where that was just done. */
export const progressed = (exchange: Exchange, atMs: number): void => {
  exchange.sent.bytes = exchange.bytes;
  exchange.sent.events = exchange.events;
  exchange.sent.comments = exchange.comments;
  exchange.writtenMs = atMs;
  if (atMs - exchange.notedMs >= PROGRESS_MS) return noteProgress(exchange, atMs, atMs);
  if (exchange.dirty) return;
  exchange.dirty = true;
  exchange.link.upstream.exchanges.add(exchange);
};

/**
 * The kernel did not take everything. Told only when it lasts, with the moment it began: a fast
 * reader fills and drains the buffer thousands of times a second, which says nothing.
 */
export const blocked = (exchange: Exchange, atMs: number): void => {
  exchange.blockedSinceMs = atMs;
  exchange.link.upstream.exchanges.add(exchange);
};

export const drained = (exchange: Exchange): void => {
  exchange.blockedSinceMs = 0;
  if (!exchange.blockedNoted) return;
  exchange.blockedNoted = false;
  const { upstream } = exchange.link;
  upstream.ledger.note(upstream.actor, { type: 'write-drained', exchange: exchange.number });
};

/** One look of the pulse: what was written since the last fact, and whether a block has lasted. */
export const lookAt = (exchange: Exchange, atMs: number): boolean => {
  if (exchange.ended) return false;
  const { upstream, socket } = exchange.link;
  if (exchange.dirty && atMs - exchange.notedMs >= PROGRESS_MS) noteProgress(exchange, exchange.writtenMs, atMs);
  const lasting = exchange.blockedSinceMs > 0 && !exchange.blockedNoted;
  if (!lasting || atMs - exchange.blockedSinceMs < PROGRESS_MS) return exchange.dirty || lasting;
  exchange.blockedNoted = true;
  const fact = { type: 'write-blocked', exchange: exchange.number, queuedBytes: socket.writableLength } as const;
  upstream.ledger.note(upstream.actor, fact, exchange.blockedSinceMs);
  return exchange.dirty;
};

/** Ends the exchange, once: the totals, unless they were just told, then how it ended. */
export const endExchange = (
  exchange: Exchange,
  how: 'complete' | 'cut' | 'aborted',
  by: 'script' | 'fault' | 'peer',
  atMs = nowMs(),
): void => {
  if (exchange.ended) return;
  exchange.ended = true;
  if (exchange.timer) clearTimeout(exchange.timer);
  exchange.timer = null;
  exchange.block = null;
  exchange.frame = null;
  const { link, number, marker, sent } = exchange;
  if (link.current === exchange) link.current = null;
  link.upstream.exchanges.remove(exchange);
  if (exchange.dirty || exchange.notedMs === 0) noteProgress(exchange, atMs, atMs);
  link.upstream.ledger.note(link.upstream.actor, {
    type: 'answer-ended', exchange: number, marker, how, by, bytes: sent.bytes, events: sent.events,
    usage: sent.bytes === exchange.bytes ? exchange.usage : null,
  }, atMs);
};
