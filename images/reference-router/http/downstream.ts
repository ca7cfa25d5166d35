// The client's leg of an exchange. Leaving is taken from the socket itself: a server whose response
// is blocked hears of it nowhere else, since neither request nor response end while bytes are queued.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Told } from '../exchange/reasons.ts';
import type { Shape } from '../shapes/shape.ts';
import { answer } from './body.ts';

export type Downstream = {
  /** Calls back once, at the first FIN, RST or close of the client's; at once when it has already left. */
  readonly onLeave: (listener: () => void) => void;
  readonly hasLeft: () => boolean;
  /** Whether the answer that has begun is a stream of events. */
  readonly isEventStream: () => boolean;
  readonly head: (status: number, headers: OutgoingHttpHeaders) => void;
  /** @returns false when the client does not take it for now; `onTaken` is called when it has */
  readonly write: (chunk: Buffer) => boolean;
  readonly onTaken: (listener: () => void) => void;
  /** Bytes that wait in this process for the client to take them. */
  readonly pendingBytes: () => number;
  /** Ends the answer as complete; calls back when all of it is with the kernel. */
  readonly finish: (done: () => void) => void;
  /** Ends the answer so that nobody takes it for complete. */
  readonly cut: (told: Told, reason: string) => void;
  /** Closes the connection without a word. */
  readonly destroy: () => void;
  /** Gives the connection back to the server, which may keep it for another request. */
  readonly release: () => void;
};

// A client that is about to be cut has this long to take the last event; then it gets a reset.
const CUT_MS = 250;

export const createDownstream = (request: IncomingMessage, response: ServerResponse, shape: Shape): Downstream => {
  const socket = request.socket;
  const leaving = new Set<() => void>();
  let isEventStream = false;
  let left = socket.destroyed || socket.readableEnded;
  const leave = (): void => {
    left = true;
    for (const listener of leaving) listener();
    leaving.clear();
  };
  // A FIN alone means "gone" here: no client of this API half-closes and goes on reading.
  socket.on('end', leave);
  socket.on('close', leave);
  // What goes wrong with the connection ends in `close`, where it is handled.
  response.on('error', () => undefined);
  const release = (): void => {
    leaving.clear();
    socket.off('end', leave);
    socket.off('close', leave);
  };
  const cut = (told: Told, reason: string): void => {
    release();
    if (response.writableNeedDrain || response.writableEnded) return void socket.resetAndDestroy();
    // The blank line first: the upstream may have stopped in the middle of an event.
    if (isEventStream) response.write(`\n\n${shape.errorEvent(reason, told.message)}`);
    else if (!response.headersSent) answer(response, told.status, shape.errorBody(reason, told.message), { connection: 'close' });
    // The connection ends without the last chunk: what was sent stays readable, and is visibly not all.
    socket.destroySoon();
    setTimeout(() => socket.destroyed || socket.resetAndDestroy(), CUT_MS).unref();
  };
  return {
    onLeave: (listener) => void (left ? listener() : leaving.add(listener)),
    isEventStream: () => isEventStream,
    hasLeft: () => left || socket.destroyed || socket.readableEnded,
    head: (status, headers) => {
      isEventStream = headers['content-length'] === undefined && /^text\/event-stream\b/i.test(String(headers['content-type']));
      response.writeHead(status, headers).flushHeaders();
    },
    write: (chunk) => response.write(chunk),
    onTaken: (listener) => void response.on('drain', listener),
    pendingBytes: () => response.writableLength,
    finish: (done) => void response.end(done),
    cut,
    destroy: () => {
      release();
      socket.destroy();
    },
    release,
  };
};
