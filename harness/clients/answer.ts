// One exchange as the client sees it: the answer's bytes go through the readers, and what they mean
// becomes facts. Totals are told at most every 50 ms, and once more before anything that counts on them.
import type { CloseHow, Fact } from '../model/observation.ts';
import { nowMs } from '../model/time.ts';
import { createForeignMarkers } from './foreign-markers.ts';
import { createHttpReader } from './http-reader.ts';
import { createSseReader } from './sse-reader.ts';

const PROGRESS_PERIOD_MS = 50;
const ERROR_TEXT_LIMIT = 500;
const NOTHING = Buffer.alloc(0);

export type Answer = {
  readonly marker: string;
  /** @returns a copy of the bytes after the message's end */
  readonly feed: (bytes: Buffer) => Buffer;
  /** The peer's FIN or RST was read. */
  readonly peerClosed: (how: CloseHow) => void;
  /** Tells the totals if they have moved since they were last told. */
  readonly flush: () => void;
  /** The client no longer listens: the last totals are told, and no end. */
  readonly abandon: () => void;
  readonly totals: () => { readonly bytes: number; readonly events: number; readonly status: number | null; readonly ended: boolean };
  /** The message has ended and the connection may carry another one. */
  readonly isReusable: () => boolean;
};

/** @param tell given each fact; stamps it */
export const createAnswer = (marker: string, method: string, tell: (fact: Fact) => void): Answer => {
  const sse = createSseReader();
  const foreign = createForeignMarkers(marker);
  let bytes = 0;
  let status: number | null = null;
  let keepsAlive = false;
  let ended = false;
  let isAbandoned = false;
  let errorText = '';
  let malformed: string | null = null;
  let toldBytes = 0;
  let toldMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (bytes === toldBytes || isAbandoned) return;
    toldBytes = bytes;
    toldMs = nowMs();
    tell({ type: 'received', marker, bytes, events: sse.events(), comments: sse.comments() });
  };
  const progress = (): void => {
    const waitMs = toldMs + PROGRESS_PERIOD_MS - nowMs();
    if (waitMs <= 0) flush();
    else timer ??= setTimeout(flush, waitMs);
  };
  const errorOf = (): string | null => {
    if (malformed !== null) return `malformed answer: ${malformed}`;
    if (status !== null && status >= 400) return `status ${status}: ${Buffer.from(errorText, 'latin1').toString('utf8')}`;
    return sse.errorEvent();
  };
  const end = (how: 'complete' | 'truncated' | 'reset'): void => {
    if (ended || isAbandoned) return;
    ended = true;
    flush();
    tell({
      type: 'response-ended', marker, how, endMark: sse.endMark(), errorEvent: errorOf(),
      bytes, events: sse.events(), foreignMarkers: foreign.found(),
    });
  };
  const reader = createHttpReader(method, {
    head: (head) => {
      status = head.status;
      keepsAlive = head.keepsAlive;
      tell({ type: 'response-head', marker, status, contentType: head.headers.get('content-type') ?? null });
    },
    body: (piece) => {
      const text = piece.toString('latin1');
      bytes += piece.length;
      sse.feed(text);
      foreign.feed(text);
      if (status !== null && status >= 400) errorText += text.slice(0, ERROR_TEXT_LIMIT - errorText.length);
    },
    end: () => end('complete'),
  });
  const feed = (piece: Buffer): Buffer => {
    try {
      const rest = reader.feed(piece);
      if (!ended && bytes !== toldBytes) progress();
      return rest.length === 0 ? NOTHING : Buffer.from(rest);
    } catch (error) {
      keepsAlive = false;
      malformed = error instanceof Error ? error.message : String(error);
      end('truncated');
      return NOTHING;
    }
  };
  return {
    marker, feed, flush,
    peerClosed: (how) => end(how === 'rst' ? 'reset' : reader.finish()),
    abandon: () => {
      flush();
      isAbandoned = true;
    },
    totals: () => ({ bytes, events: sse.events(), status, ended }),
    isReusable: () => ended && keepsAlive && malformed === null,
  };
};
