// One bounded HTTP request without a connection pool: set-up, readiness and refunds go through it, and
// a kept connection of ours would look like work to a system that is asked to shut down. Redirects are
// answers like any other and are not followed.
import type { IncomingHttpHeaders, request as Request } from 'node:http';

export type HttpRequest = {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole of it, the body included. */
  readonly limitMs?: number;
  readonly maximumBytes?: number;
};

export type HttpAnswer = {
  readonly status: number;
  /** As node:http has them: lower case; `set-cookie` is a list. */
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** True when the body was longer than `maximumBytes` and the rest was not read. */
  readonly cut: boolean;
};

const LIMIT_MS = 5_000;
const MAXIMUM_BYTES = 1024 * 1024;

/** Loaded when it is first used: it brings all of Node's client with it, a third of what a program takes to start. */
const loadRequest = async (): Promise<typeof Request> => (await import('node:http')).request;

/**
 * @throws Error with code `timed-out`, the socket's own code (`ECONNREFUSED`), or `invalid-url`; the
 *   message names method and URL
 */
export const requestOnce = async (what: HttpRequest): Promise<HttpAnswer> => askBy(await loadRequest(), what);

const askBy = (request: typeof Request, what: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', url, limitMs = LIMIT_MS, maximumBytes = MAXIMUM_BYTES } = what;
    const fail = (code: string, message: string): void =>
      reject(Object.assign(new Error(`${method} ${url}: ${message}`), { code }));
    if (!URL.canParse(url) || new URL(url).protocol !== 'http:') return fail('invalid-url', 'is not an http: address');
    const length = what.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(what.body)) };
    const outgoing = request(url, { method, agent: false, headers: { connection: 'close', ...length, ...what.headers } });
    const timer = setTimeout(() => {
      fail('timed-out', `no complete answer within ${limitMs} ms`);
      outgoing.destroy();
    }, limitMs);
    const failed = (error: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      fail(error.code ?? 'failed', error.message);
    };
    outgoing.on('error', failed);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = (cut: boolean): void => {
        clearTimeout(timer);
        const body = Buffer.concat(chunks).subarray(0, maximumBytes).toString('utf8');
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body, cut });
      };
      incoming.on('error', failed);
      incoming.on('end', () => finish(false));
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maximumBytes) return;
        finish(true);
        outgoing.destroy();
      });
    });
    outgoing.end(what.body);
  });
