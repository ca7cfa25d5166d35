// One exchange as the client sees it: the answer's bytes go through the readers, and what they mean
// becomes facts.
import type { CloseHow, Fact } from '../model/observation.ts';
import { messageOf } from '../model/problem.ts';
import { createContentReader } from './content-reader.ts';
import type { ContentReader } from './content-reader.ts';
import { createForeignMarkers } from './foreign-markers.ts';
import { createHttpReader } from './http-reader.ts';
import type { HttpSink } from './http-reader.ts';
import { createProgress } from './progress.ts';
import type { Received } from './session.ts';

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
  readonly totals: () => Received;
  /** The message has ended and the connection may carry another one. */
  readonly isReusable: () => boolean;
};

type Content = {
  /** By the content type, once the head is there. */
  reader: ContentReader;
  readonly foreign: ReturnType<typeof createForeignMarkers>;
  bytes: number;
  status: number | null;
  keepsAlive: boolean;
  /** The beginning of an error's body, as latin1. */
  errorText: string;
  malformed: string | null;
};

/** The error of the answer as a whole, or in the stream. */
const errorOf = ({ malformed, status, errorText, reader }: Content): string | null => {
  if (malformed !== null) return `malformed answer: ${malformed}`;
  if (status !== null && status >= 400) return `status ${status}: ${Buffer.from(errorText, 'latin1').toString('utf8')}`;
  return reader.errorEvent();
};

/** What an error says is no part of what was asked for. */
const eventsOf = ({ status, reader }: Content): number => (status !== null && status >= 400 ? 0 : reader.events());

const sinkInto = (content: Content, marker: string, tell: (fact: Fact) => void, end: () => void): HttpSink => ({
  head: (head) => {
    content.status = head.status;
    content.keepsAlive = head.keepsAlive;
    content.reader = createContentReader(head.headers.get('content-type'));
    tell({ type: 'response-head', marker, status: head.status, contentType: head.headers.get('content-type') ?? null });
  },
  body: (bytes) => {
    const text = bytes.toString('latin1');
    content.bytes += bytes.length;
    content.reader.feed(text);
    content.foreign.feed(text);
    if (content.status! >= 400) content.errorText += text.slice(0, ERROR_TEXT_LIMIT - content.errorText.length);
  },
  end: () => {
    content.reader.end();
    end();
  },
});

/** @param tell given each fact; stamps it */
export const createAnswer = (marker: string, method: string, tell: (fact: Fact) => void): Answer => {
  const foreign = createForeignMarkers(marker);
  const content: Content = {
    reader: createContentReader(undefined),
    foreign,
    bytes: 0,
    status: null,
    keepsAlive: false,
    errorText: '',
    malformed: null,
  };
  let ended = false;
  let isAbandoned = false;
  const progress = createProgress(
    () => content.bytes,
    () => tell({ type: 'received', marker, bytes: content.bytes, events: eventsOf(content), comments: content.reader.comments() }),
  );
  const end = (how: 'complete' | 'truncated' | 'reset'): void => {
    if (ended || isAbandoned) return;
    ended = true;
    progress.stop();
    const { bytes, reader: read } = content;
    tell({
      type: 'response-ended',
      marker,
      how,
      endMark: read.endMark() && content.status! < 400,
      errorEvent: errorOf(content),
      bytes,
      events: eventsOf(content),
      usage: read.usage(),
      foreignMarkers: foreign.found(),
    });
  };
  const reader = createHttpReader(
    method,
    sinkInto(content, marker, tell, () => end('complete')),
  );
  return {
    marker,
    feed: (bytes) => {
      try {
        const rest = reader.feed(bytes);
        progress.note();
        return rest.length === 0 ? NOTHING : Buffer.from(rest);
      } catch (error) {
        content.malformed = messageOf(error);
        end('truncated');
        return NOTHING;
      }
    },
    peerClosed: (how) => end(how === 'rst' ? 'reset' : reader.finish()),
    flush: progress.flush,
    abandon: () => {
      progress.stop();
      isAbandoned = true;
    },
    totals: () => ({ bytes: content.bytes, events: eventsOf(content), status: content.status, ended }),
    isReusable: () => ended && content.keepsAlive && content.malformed === null,
  };
};
