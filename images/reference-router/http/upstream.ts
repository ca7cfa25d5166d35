// The upstream's leg of an exchange: one request and its answer.
import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { messageOf } from '../log.ts';
import { createPool } from './pool.ts';

export type UpstreamRequest = {
  readonly path: string;
  /** The client's, of which what matters to an upstream is passed on: never its key. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

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
  /** Closes the connection at once, unless the answer had come to its end. No event comes afterwards. */
  readonly destroy: () => void;
  /** What it travels on; null before there is a connection. */
  readonly socket: () => Socket | null;
};

export type OpenUpstream = (request: UpstreamRequest, events: UpstreamEvents) => Upstream;

const PASSED_ON = ['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta'] as const;

const headersFor = ({ headers, body }: UpstreamRequest): Record<string, string | number> => ({
  'accept': '*/*',
  ...Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))),
  'content-type': 'application/json',
  'content-length': body.length,
  'user-agent': 'reference-router',
});

/** @param poolSize idle connections that are kept for the next request */
export const createUpstreams = (target: URL, poolSize: number): OpenUpstream => {
  const agent = createPool(poolSize);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const port = target.port === '' ? 80 : Number(target.port);
  return (input, events) => {
    let closed = false;
    let incoming: IncomingMessage | null = null;
    const unless = <A extends unknown[]>(listener: (...values: A) => void) => (...values: A): void => {
      if (!closed) listener(...values);
    };
    const failed = unless((error: unknown) => {
      closed = true;
      request.destroy();
      events.onFailed(messageOf(error));
    });
    const request = http.request({ agent, host, port, method: 'POST', path: input.path, headers: headersFor(input) });
    // Errors are heard to the end: one may come after everybody has lost interest.
    request.on('error', failed);
    request.on('response', unless((response: IncomingMessage) => {
      incoming = response;
      response.on('error', failed);
      response.on('data', unless(events.onData));
      response.on('end', unless(() => {
        closed = true;
        events.onEnd();
      }));
      events.onHead(response.statusCode ?? 502, response.headers);
    }));
    request.end(input.body);
    return {
      pause: () => void incoming?.pause(),
      resume: () => void incoming?.resume(),
      destroy: () => {
        if (closed) return;
        closed = true;
        request.destroy();
      },
      socket: () => request.socket,
    };
  };
};
