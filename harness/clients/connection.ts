// One TCP connection of a client. Raw node:net with one buffer of our own: then a pause stops the
// reading in the kernel's sense at once, and a flood costs no allocation per chunk.
import { connect } from 'node:net';
import type { CloseHow, Fact } from '../model/observation.ts';
import type { Answer } from './answer.ts';
import { endpointOf, lookAt } from './socket-proof.ts';
import type { SocketLook } from './step.ts';

const CONNECT_LIMIT_MS = 10_000;
const BUFFER_BYTES = 64 * 1024;
/** Bytes that came before anybody asked, kept for the next answer as any client would. */
const STRAY_LIMIT_BYTES = 1024 * 1024;

export type ConnectionPlan = {
  readonly number: number;
  readonly localAddress: string;
  readonly system: { readonly address: string; readonly port: number };
  /** Never start to read. */
  readonly startsPaused: boolean;
  readonly tell: (fact: Fact) => void;
  /** Something that a wait may look at has changed. */
  readonly onChange: () => void;
};

export type Connection = {
  readonly number: number;
  readonly answer: () => Answer | null;
  readonly peerClosed: () => CloseHow | null;
  /** Open, and nothing is owed on it. */
  readonly isFree: () => boolean;
  readonly isClosed: () => boolean;
  readonly isPaused: () => boolean;
  /** Resolves when the kernel has taken all of it. */
  readonly write: (text: string, answer: Answer) => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly look: () => SocketLook;
  /** close(2). */
  readonly close: () => void;
  /** close(2) with RST. */
  readonly reset: () => void;
  /** shutdown(2) of the sending side. Resolves when it is done or the connection is gone. */
  readonly shutdown: () => Promise<void>;
  /** Nothing that comes later is told. */
  readonly abandon: () => void;
};

/** @throws Error (with the system's code) when the connection cannot be made */
export const openConnection = (plan: ConnectionPlan): Promise<Connection> => {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  let answer: Answer | null = null;
  let stray = Buffer.alloc(0);
  let peerClosed: CloseHow | null = null;
  let isClosed = false;
  let local = '';

  const take = (bytes: Buffer): void => {
    const rest = answer ? answer.feed(bytes) : Buffer.from(bytes);
    if (rest.length > 0 && stray.length < STRAY_LIMIT_BYTES) stray = Buffer.concat([stray, rest]);
    plan.onChange();
  };
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const socket = connect({
    host: plan.system.address, port: plan.system.port, localAddress: plan.localAddress, allowHalfOpen: true, noDelay: true,
    onread: { buffer, callback: (size) => { take(buffer.subarray(0, size)); return true; } },
  });
  const peer = endpointOf(plan.system.address, plan.system.port);
  const ended = (how: CloseHow): void => {
    if (isClosed) return;
    peerClosed ??= how;
    answer?.peerClosed(how);
    // What any client does when the system has closed: it closes too.
    isClosed = true;
    socket.destroy();
    plan.onChange();
  };
  const close = (act: () => void): void => {
    answer?.abandon();
    isClosed = true;
    act();
  };
  const connection: Connection = {
    number: plan.number,
    answer: () => answer,
    peerClosed: () => peerClosed,
    isFree: () => !isClosed && !socket.writableEnded && (answer === null || answer.isReusable()),
    isClosed: () => isClosed,
    isPaused: () => socket.isPaused(),
    write: (text, next) => {
      answer = next;
      const waiting = stray;
      stray = Buffer.alloc(0);
      return new Promise((done, failed) => {
        socket.write(text, (error) => (error ? failed(error) : done()));
        if (waiting.length > 0) take(waiting);
      });
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    look: () => lookAt(local, peer, plan.localAddress),
    close: () => close(() => socket.destroy()),
    reset: () => close(() => socket.resetAndDestroy()),
    shutdown: () => new Promise((done) => {
      socket.once('close', () => done());
      socket.end(() => done());
    }),
    abandon: () => answer?.abandon(),
  };
  const timer = setTimeout(() => socket.destroy(new Error(`no connection to ${peer} within ${CONNECT_LIMIT_MS} ms`)), CONNECT_LIMIT_MS);
  if (plan.startsPaused) socket.pause();
  socket.on('connect', () => {
    clearTimeout(timer);
    local = endpointOf(socket.localAddress!, socket.localPort!);
    plan.tell({ type: 'connected', connection: plan.number, local, peer });
    resolve(connection);
  });
  socket.on('end', () => ended('fin'));
  socket.on('error', (error) => {
    clearTimeout(timer);
    reject(error);
    ended('rst');
  });
  return promise;
};
