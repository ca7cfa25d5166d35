// Reads HTTP/1.1 answers as they come, however the bytes are cut. Written here because what a library
// hides is what is judged: whether a message ended as announced, and what came after its end.

export type Head = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly keepsAlive: boolean };

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

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const LINES_LIMIT_BYTES = 64 * 1024;
const NEWLINE = 10;

const hasToken = (value: string | undefined, token: string): boolean =>
  (value ?? '').toLowerCase().split(',').some((part) => part.trim() === token);

/** @throws Error when the lines are no head */
const parseHead = (lines: readonly string[]): Head & { readonly version: string } => {
  const match = STATUS_LINE.exec(lines[0] ?? '');
  if (!match) throw new Error(`not an HTTP status line: ${JSON.stringify((lines[0] ?? '').slice(0, 80))}`);
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new Error(`not a header line: ${JSON.stringify(line.slice(0, 80))}`);
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const version = match[1]!;
  const connection = headers.get('connection');
  const keepsAlive = version === '1' ? !hasToken(connection, 'close') : hasToken(connection, 'keep-alive');
  return { status: Number(match[2]), headers, keepsAlive, version };
};

/** How long the body is: bytes, or the state that finds out. @throws Error when the head contradicts itself */
const framingOf = (head: Head, method: string): number | 'chunk-size' | 'until-close' => {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return 0;
  const coding = head.headers.get('transfer-encoding');
  if (coding !== undefined) return /(^|,)\s*chunked\s*$/i.test(coding) ? 'chunk-size' : 'until-close';
  const length = head.headers.get('content-length');
  if (length === undefined) return 'until-close';
  const sizes = new Set(length.split(',').map((part) => part.trim()));
  const [size] = sizes;
  if (sizes.size !== 1 || !/^\d{1,15}$/.test(size!)) throw new Error(`not a content-length: ${JSON.stringify(length.slice(0, 80))}`);
  return Number(size);
};

/** One message's reader. @param method of the request: the answer to HEAD has no body */
export const createHttpReader = (method: string, sink: HttpSink): HttpReader => {
  let state: State = 'head';
  let line = '';
  let lines: string[] = [];
  let linesBytes = 0;
  let remaining = 0;

  const enter = (next: State): void => {
    state = next;
    linesBytes = 0;
    lines = [];
    if (next === 'done') sink.end();
  };
  const endHead = (): void => {
    const head = parseHead(lines);
    // 101 is final: from there on it is no longer HTTP, and only the close can end it.
    if (head.status < 200 && head.status !== 101) return enter('head');
    const framing = head.status === 101 ? 'until-close' : framingOf(head, method);
    sink.head({ status: head.status, headers: head.headers, keepsAlive: head.keepsAlive && framing !== 'until-close' });
    if (framing === 'chunk-size') return enter(framing);
    remaining = framing === 'until-close' ? Infinity : framing;
    enter(framing === 'until-close' ? framing : framing === 0 ? 'done' : 'fixed');
  };
  const endLine = (text: string): void => {
    if (state === 'head') {
      if (text === '') endHead();
      else lines.push(text);
    } else if (state === 'chunk-size') {
      const size = /^([0-9a-f]{1,12})\s*(;.*)?$/i.exec(text);
      if (!size) throw new Error(`not a chunk size: ${JSON.stringify(text.slice(0, 80))}`);
      remaining = Number.parseInt(size[1]!, 16);
      enter(remaining === 0 ? 'trailers' : 'chunk');
    } else if (state === 'chunk-end') {
      if (text !== '') throw new Error(`a chunk is longer than announced: ${JSON.stringify(text.slice(0, 80))}`);
      enter('chunk-size');
    } else if (text === '') enter('done');
  };
  const feedLine = (bytes: Buffer, from: number): number => {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline;
    linesBytes += to - from;
    if (linesBytes > LINES_LIMIT_BYTES) throw new Error(`a head or a chunk's line is longer than ${LINES_LIMIT_BYTES} bytes`);
    line += bytes.toString('latin1', from, to);
    if (newline < 0) return to;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    endLine(text);
    return newline + 1;
  };
  const feedBody = (bytes: Buffer, from: number): number => {
    const to = Math.min(bytes.length, from + remaining);
    remaining -= to - from;
    sink.body(bytes.subarray(from, to));
    if (remaining === 0) enter(state === 'fixed' ? 'done' : 'chunk-end');
    return to;
  };
  return {
    feed: (bytes) => {
      let at = 0;
      while (at < bytes.length && state !== 'done') {
        const isBody = state === 'fixed' || state === 'chunk' || state === 'until-close';
        at = isBody ? feedBody(bytes, at) : feedLine(bytes, at);
      }
      return bytes.subarray(at);
    },
    finish: () => {
      if (state === 'until-close') enter('done');
      return state === 'done' ? 'complete' : 'truncated';
    },
  };
};
