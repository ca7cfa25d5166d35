// For the tests beside it: a client session that keeps its facts, and a peer on a real socket that
// says what it saw of the client, in order.
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import type { Fact, FactOf, FactType } from '../model/observation.ts';
import { createLiveTimeline } from '../model/live.ts';
import { createSession } from './client-session.ts';
import type { Session } from './session.ts';
import type { OutgoingRequest } from './step.ts';

export type Told = Fact & { readonly atMs: number };

export type Peer = {
  readonly address: string;
  readonly port: number;
  /** Connections in order of arrival. */
  readonly sockets: readonly Socket[];
  /** `1:data`, `1:fin`, `1:rst` in the order in which they were read. */
  readonly seen: readonly string[];
  readonly waitFor: (event: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const within = async <T>(work: Promise<T>, what: string, limitMs = 10_000): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`still waiting for ${what} after ${limitMs} ms`)), limitMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/** Waits until the condition holds; looks at every turn of the loop that something may have changed in. */
export const eventually = async (condition: () => boolean, what: () => string, limitMs = 10_000): Promise<void> => {
  const untilMs = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > untilMs) throw new Error(`still waiting for ${what()} after ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** A half-open TCP server. @param onRequest called once a connection has sent a complete head */
export const startPeer = async (onRequest: (socket: Socket, number: number, text: string) => void): Promise<Peer> => {
  const sockets: Socket[] = [];
  const seen: string[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    const number = sockets.push(socket);
    let text = '';
    socket.on('data', (bytes) => {
      seen.push(`${number}:data`);
      text += bytes.toString();
      if (!text.includes('\r\n\r\n')) return;
      const request = text;
      text = '';
      onRequest(socket, number, request);
    });
    socket.on('end', () => seen.push(`${number}:fin`));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      seen.push(error.code === 'ECONNRESET' || error.code === 'EPIPE' ? `${number}:rst` : `${number}:${error.code}`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    address: '127.0.0.1',
    port,
    sockets,
    seen,
    waitFor: (event) =>
      eventually(
        () => seen.includes(event),
        () => `${event} at the peer (seen: ${seen.join(' ')})`,
      ),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await within(once(server, 'close'), 'the close of the peer');
    },
  };
};

export type Kit = {
  readonly session: Session;
  readonly told: readonly Told[];
  readonly of: <T extends FactType>(type: T) => readonly (FactOf<T> & { readonly atMs: number })[];
  readonly waitFor: (type: FactType) => Promise<void>;
};

/** A session of client alice at 127.0.0.2. */
export const createKit = (system: { readonly address: string; readonly port: number }, client = 'alice'): Kit => {
  const told: Told[] = [];
  const timeline = createLiveTimeline(() => {});
  const session = createSession({ client, localAddress: '127.0.0.2', system }, (_actor, fact, atMs) => {
    told.push({ ...fact, atMs: atMs ?? timeline.originMs + timeline.elapsedMs() });
  });
  const of: Kit['of'] = (type) => told.filter((fact) => fact.type === type) as never;
  return {
    session,
    told,
    of,
    waitFor: (type) =>
      eventually(
        () => of(type).length > 0,
        () => `${type} (told: ${told.map((fact) => fact.type).join(' ')})`,
      ),
  };
};

export const MARKER = 'hx.alice.1.0123abcd';

export const requestOf = (marker = MARKER): OutgoingRequest => ({
  method: 'POST',
  path: '/v1/chat/completions',
  headers: {},
  body: `{"user":"${marker}"}`,
  marker,
});

const dataOf = (marker: string, rest: object): string => {
  const event = { id: `chatcmpl-${marker}`, object: 'chat.completion.chunk', created: 1, model: 'gpt-test', ...rest };
  return `data: ${JSON.stringify(event)}\n\n`;
};

/** One data event of the OpenAI chat shape. */
export const eventOf = (number: number, marker = MARKER): string =>
  dataOf(marker, { choices: [{ index: 0, delta: { content: `${marker} ${number} ` }, finish_reason: null }] });

export const usageOf = (events: number, marker = MARKER): string =>
  dataOf(marker, { choices: [], usage: { prompt_tokens: 0, completion_tokens: events, total_tokens: events } });

export const END_MARK = 'data: [DONE]\n\n';
export const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
export const LAST_CHUNK = '0\r\n\r\n';
