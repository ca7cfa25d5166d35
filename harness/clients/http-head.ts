// The head of an HTTP/1.1 answer: what it says, and how the body's length is told.

export type Head = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the connection may carry another message, as far as the head says. */
  readonly keepsAlive: boolean;
};

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;

const hasToken = (value: string | undefined, token: string): boolean =>
  (value ?? '')
    .toLowerCase()
    .split(',')
    .some((part) => part.trim() === token);

/** @throws Error when the lines are no head */
export const parseHead = (lines: readonly string[]): Head => {
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
  const connection = headers.get('connection');
  const keepsAlive = match[1] === '1' ? !hasToken(connection, 'close') : hasToken(connection, 'keep-alive');
  return { status: Number(match[2]), headers, keepsAlive };
};

/** How long the body is: bytes, or the state that finds out. @throws Error when the head contradicts itself */
export const framingOf = (head: Head, method: string): number | 'chunk-size' | 'until-close' => {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return 0;
  const coding = head.headers.get('transfer-encoding');
  if (coding !== undefined) return /(^|,)\s*chunked\s*$/i.test(coding) ? 'chunk-size' : 'until-close';
  const length = head.headers.get('content-length');
  if (length === undefined) return 'until-close';
  const sizes = new Set(length.split(',').map((part) => part.trim()));
  const [size] = sizes;
  if (sizes.size !== 1 || !/^\d{1,15}$/.test(size!))
    throw new Error(`not a content-length: ${JSON.stringify(length.slice(0, 80))}`);
  return Number(size);
};
