// One request head, text in, facts out. Strict where leniency would hide a system's own fault
// (RFC 9112): what cannot be understood in exactly one way is refused with the status that says why.

export type Refusal = { readonly status: number; readonly reason: string };

export type Head = {
  readonly method: string;
  /** As it stood in the request line. */
  readonly target: string;
  readonly minor: 0 | 1;
  /** The header lines as they came. */
  readonly fields: string;
  /** Bytes of body announced; `chunked` where the body says itself when it ends. */
  readonly length: number | 'chunked';
  readonly keepAlive: boolean;
  /** The peer waits for a `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
};

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}) ([\x21-\x7e\x80-\xff]+) HTTP\/(\d)\.(\d)$/;
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;
const LENGTH = /^\d{1,15}$/;

export const refusal = (status: number, reason: string): Refusal => ({ status, reason });

export const isRefusal = (value: Head | Refusal): value is Refusal => 'reason' in value;

type Known = { host: string[]; 'content-length': string[]; 'transfer-encoding': string[]; connection: string[]; expect: string[] };

const collect = (lines: readonly string[], known: Known): Refusal | undefined => {
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // A leading blank is a folded line, which RFC 9112 5.2 lets a server reject.
    if (colon < 1 || !TOKEN.test(name)) return refusal(400, 'malformed header line');
    const value = line.slice(colon + 1).trim();
    if (FORBIDDEN.test(value)) return refusal(400, `forbidden byte in header ${name}`);
    if (name in known) known[name as keyof Known].push(value);
  }
  return undefined;
};

const bodyLength = (known: Known, minor: 0 | 1): number | 'chunked' | Refusal => {
  const lengths = known['content-length'];
  const codings = known['transfer-encoding'];
  if (codings.length > 0) {
    // Both at once is how requests are smuggled past a proxy: never guess which one is meant.
    if (lengths.length > 0) return refusal(400, 'content-length beside transfer-encoding');
    if (minor === 0) return refusal(400, 'transfer-encoding in HTTP/1.0');
    return codings.join(',').trim().toLowerCase() === 'chunked' ? 'chunked' : refusal(501, 'unknown transfer-encoding');
  }
  if (lengths.length === 0) return 0;
  if (lengths.length > 1 || !LENGTH.test(lengths[0]!)) return refusal(400, 'malformed content-length');
  return Number(lengths[0]);
};

/**
 * Reads a request head.
 * @param text request line and header lines, without the empty line that ends them, as latin1
 */
export const readHead = (text: string): Head | Refusal => {
  const lines = text.split('\r\n');
  const line = REQUEST_LINE.exec(lines[0]!);
  if (!line) return refusal(400, 'malformed request line');
  if (line[3] !== '1') return refusal(505, 'only HTTP/1 is spoken here');
  const minor = line[4] === '0' ? 0 : 1;
  const known: Known = { host: [], 'content-length': [], 'transfer-encoding': [], connection: [], expect: [] };
  const malformed = collect(lines.slice(1), known);
  if (malformed) return malformed;
  if (known.host.length > 1 || (minor === 1 && known.host.length === 0)) return refusal(400, 'exactly one host is needed');
  const length = bodyLength(known, minor);
  if (typeof length === 'object') return length;
  const expect = known.expect.join(',').toLowerCase();
  if (expect !== '' && expect !== '100-continue') return refusal(417, 'unknown expectation');
  const options = known.connection.join(',').toLowerCase().split(',').map((option) => option.trim());
  return {
    method: line[1]!,
    target: line[2]!,
    minor,
    fields: text.slice(lines[0]!.length + 2),
    length,
    keepAlive: minor === 1 && !options.includes('close'),
    awaitsContinue: expect !== '' && minor === 1 && length !== 0,
  };
};
