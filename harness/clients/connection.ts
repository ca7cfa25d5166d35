// One TCP connection of a client. Raw node:net with one buffer of our own: then a pause stops the
// reading in the kernel's sense at once, and a flood costs no allocation per chunk.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { CloseHow, Fact } from '../model/observation.ts';
import type { SocketRow } from '../model/samples.ts';
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
  /** @param rows of a socket table that was just read; else it is read */
  readonly look: (rows?: readonly SocketRow[]) => SocketLook;
  /** close(2). */
  readonly close: () => void;
  /** close(2) with RST. */
  readonly reset: () => void;
  /** shutdown(2) of the sending side. Resolves when it is done or the connection is gone. */
  readonly shutdown: () => Promise<void>;
  /** Nothing that comes later is told. */
  readonly abandon: () => void;
};

/** What the socket's events and the connection's methods share. */
type Wire = { answer: Answer | null; stray: Buffer; peerClosed: CloseHow | null; isClosed: boolean; local: string };

const take = (wire: Wire, bytes: Buffer): void => {
  const rest = wire.answer ? wire.answer.feed(bytes) : Buffer.from(bytes);
  if (rest.length > 0 && wire.stray.length < STRAY_LIMIT_BYTES) wire.stray = Buffer.concat([wire.stray, rest]);
};

const createConnection = (plan: ConnectionPlan, socket: Socket, wire: Wire): Connection => {
  const close = (act: () => void): void => {
    wire.answer?.abandon();
    wire.isClosed = true;
    act();
  };
  return {
    number: plan.number,
    answer: () => wire.answer,
    peerClosed: () => wire.peerClosed,
    isFree: () => !wire.isClosed && !socket.writableEnded && (wire.answer === null || wire.answer.isReusable()),
    isClosed: () => wire.isClosed,
    isPaused: () => socket.isPaused(),
    write: (text, answer) =>
      new Promise((resolve, reject) => {
        const stray = wire.stray;
        wire.stray = Buffer.alloc(0);
        wire.answer = answer;
        socket.write(text, (error) => (error ? reject(error) : resolve()));
        if (stray.length > 0) take(wire, stray);
      }),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    look: (rows) => lookAt(wire.local, endpointOf(plan.system.address, plan.system.port), plan.localAddress, rows),
    close: () => close(() => socket.destroy()),
    reset: () => close(() => socket.resetAndDestroy()),
    shutdown: () =>
      new Promise((resolve) => {
        socket.once('close', () => resolve());
        socket.end(() => resolve());
      }),
    abandon: () => wire.answer?.abandon(),
  };
};

const onPeerClosed = (plan: ConnectionPlan, socket: Socket, wire: Wire, how: CloseHow): void => {
  if (wire.isClosed) return;
  wire.peerClosed = how;
  wire.answer?.peerClosed(how);
  // What any client does when the system has closed: it closes too.
  wire.isClosed = true;
  socket.destroy();
  plan.onChange();
};

/** @throws Error (with the system's code) when the connection cannot be made */
export const openConnection = (plan: ConnectionPlan): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const wire: Wire = { answer: null, stray: Buffer.alloc(0), peerClosed: null, isClosed: false, local: '' };
    const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const onBytes = (size: number): boolean => {
      take(wire, buffer.subarray(0, size));
      plan.onChange();
      return true;
    };
    const { address: host, port } = plan.system;
    const socket = connect({
      host,
      port,
      localAddress: plan.localAddress,
      allowHalfOpen: true,
      noDelay: true,
      onread: { buffer, callback: onBytes },
    });
    const peer = endpointOf(host, port);
    const late = (): unknown => socket.destroy(new Error(`no connection to ${peer} within ${CONNECT_LIMIT_MS} ms`));
    const timer = setTimeout(late, CONNECT_LIMIT_MS);
    if (plan.startsPaused) socket.pause();
    socket.on('connect', () => {
      clearTimeout(timer);
      wire.local = endpointOf(socket.localAddress!, socket.localPort!);
      plan.tell({ type: 'connected', connection: plan.number, local: wire.local, peer });
      resolve(createConnection(plan, socket, wire));
    });
    socket.on('end', () => onPeerClosed(plan, socket, wire, 'fin'));
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
      onPeerClosed(plan, socket, wire, 'rst');
    });
  });
