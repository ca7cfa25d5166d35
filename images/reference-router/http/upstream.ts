// The upstream's leg of an exchange: one request on one connection, never repeated and never pooled.
// A billed request must not travel on a connection that may be dying, nor leave one behind in a pool
// with somebody else's bytes in it.
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { messageOf } from '../log.ts';

export type UpstreamEvents = {
  readonly onHead: (status: number, headers: IncomingHttpHeaders) => void;
  readonly onData: (chunk: Buffer) => void;
  /** The answer was complete by its own framing. */
  readonly onEnd: () => void;
  /** It broke off, or never came about. */
  readonly onFailed: (error: string) => void;
};

export type Upstream = {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Closes the connection at once. No event comes afterwards. */
  readonly destroy: () => void;
};

const agent = new http.Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** @param headers the client's, of which what matters to an upstream is passed on: never its key */
export const openUpstream = (
  target: URL, path: string, headers: IncomingHttpHeaders, body: Buffer, events: UpstreamEvents,
): Upstream => {
  let closed = false;
  let incoming: IncomingMessage | null = null;
  const unless = <A extends unknown[]>(listener: (...values: A) => void) => (...values: A): void => {
    if (!closed) listener(...values);
  };
  const failed = unless((error: unknown) => {
    closed = true;
    events.onFailed(messageOf(error));
  });
  const request = http.request({
    agent,
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port === '' ? 80 : Number(target.port),
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'accept': headers.accept ?? '*/*',
      'user-agent': 'reference-router',
    },
  });
  request.on('error', failed);
  request.on('response', unless((response: IncomingMessage) => {
    incoming = response;
    response.on('error', failed);
    response.on('data', unless(events.onData));
    response.on('end', unless(() => {
      closed = true;
      request.destroy();
      events.onEnd();
    }));
    events.onHead(response.statusCode ?? 502, response.headers);
  }));
  request.end(body);
  return {
    pause: () => void incoming?.pause(),
    resume: () => void incoming?.resume(),
    destroy: () => {
      closed = true;
      request.destroy();
    },
  };
};
