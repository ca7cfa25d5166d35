// Reads HTTP/1.1 answers as they come, however the bytes are cut. Written here because what a library
// hides is what is judged: whether a message ended as announced, and what came after its end.
import { framingOf, parseHead } from './http-head.ts';
import type { Head } from './http-head.ts';

export type HttpSink = {
  /** The final head; 1xx heads before it are read over. */
  readonly head: (head: Head) => void;
  /** Content as it comes, without the framing. The bytes are only valid during the call. */
  readonly body: (bytes: Buffer) => void;
  /** The message ended as announced. */
  readonly end: () => void;
};

export type HttpReader = {
  /** @returns the bytes after the message's end @throws Error when it is not HTTP */
  readonly feed: (bytes: Buffer) => Buffer;
  /** The peer has closed. A message that was to end with its connection ends here. */
  readonly finish: () => 'complete' | 'truncated';
};

type State = 'head' | 'fixed' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'until-close' | 'done';

/** Where the reading of one message stands. */
type Reading = {
  readonly method: string;
  readonly sink: HttpSink;
  state: State;
  /** The line that has begun, the lines of this state before it, and their bytes. */
  line: string;
  lines: string[];
  linesBytes: number;
  /** Bytes of content until the state ends. */
  remaining: number;
};

const LINES_LIMIT_BYTES = 64 * 1024;
const NEWLINE = 10;

const enter = (reading: Reading, next: State): void => {
  reading.state = next;
  reading.linesBytes = 0;
  reading.lines = [];
  if (next === 'done') reading.sink.end();
};

const endHead = (reading: Reading): void => {
  const head = parseHead(reading.lines);
  // 101 is final: from there on it is no longer HTTP, and only the close can end it.
  if (head.status < 200 && head.status !== 101) return enter(reading, 'head');
  const framing = head.status === 101 ? 'until-close' : framingOf(head, reading.method);
  reading.sink.head({ ...head, keepsAlive: head.keepsAlive && framing !== 'until-close' });
  if (framing === 'chunk-size') return enter(reading, framing);
  reading.remaining = framing === 'until-close' ? Infinity : framing;
  enter(reading, framing === 'until-close' ? framing : framing === 0 ? 'done' : 'fixed');
};

const endChunkSize = (reading: Reading, text: string): void => {
  const size = /^([0-9a-f]{1,12})\s*(;.*)?$/i.exec(text);
  if (!size) throw new Error(`not a chunk size: ${JSON.stringify(text.slice(0, 80))}`);
  reading.remaining = Number.parseInt(size[1]!, 16);
  enter(reading, reading.remaining === 0 ? 'trailers' : 'chunk');
};

const endLine = (reading: Reading, text: string): void => {
  if (reading.state === 'chunk-size') endChunkSize(reading, text);
  else if (reading.state === 'chunk-end') {
    if (text !== '') throw new Error(`a chunk is longer than announced: ${JSON.stringify(text.slice(0, 80))}`);
    enter(reading, 'chunk-size');
  } else if (text !== '') reading.lines.push(text);
  else if (reading.state === 'head') endHead(reading);
  else enter(reading, 'done');
};

const feedLine = (reading: Reading, bytes: Buffer, from: number): number => {
  const newline = bytes.indexOf(NEWLINE, from);
  const to = newline < 0 ? bytes.length : newline;
  reading.linesBytes += to - from;
  if (reading.linesBytes > LINES_LIMIT_BYTES)
    throw new Error(`a head or a chunk's line is longer than ${LINES_LIMIT_BYTES} bytes`);
  const text = reading.line + bytes.toString('latin1', from, to);
  reading.line = newline < 0 ? text : '';
  if (newline < 0) return to;
  endLine(reading, text.endsWith('\r') ? text.slice(0, -1) : text);
  return newline + 1;
};

const feedBody = (reading: Reading, bytes: Buffer, from: number): number => {
  const to = Math.min(bytes.length, from + reading.remaining);
  reading.remaining -= to - from;
  reading.sink.body(bytes.subarray(from, to));
  if (reading.remaining === 0) enter(reading, reading.state === 'fixed' ? 'done' : 'chunk-end');
  return to;
};

/** One message's reader. @param method of the request: the answer to HEAD has no body */
export const createHttpReader = (method: string, sink: HttpSink): HttpReader => {
  const reading: Reading = { method, sink, state: 'head', line: '', lines: [], linesBytes: 0, remaining: 0 };
  const isBody = (): boolean => reading.state === 'fixed' || reading.state === 'chunk' || reading.state === 'until-close';
  return {
    feed: (bytes) => {
      let at = 0;
      while (at < bytes.length && reading.state !== 'done')
        at = isBody() ? feedBody(reading, bytes, at) : feedLine(reading, bytes, at);
      return bytes.subarray(at);
    },
    finish: () => {
      if (reading.state === 'until-close') enter(reading, 'done');
      return reading.state === 'done' ? 'complete' : 'truncated';
    },
  };
};
