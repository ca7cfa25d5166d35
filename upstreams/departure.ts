// How a connection ends, as it was seen: FIN and RST of the peer, each stamped before anything else
// is done, and the end of the connection as a whole.
import type { CloseHow } from '../harness/model/observation.ts';
import { nowMs } from '../harness/model/time.ts';
import { endExchange } from './exchange.ts';
import { refusal } from './http/head.ts';
import { advance, deafen, endAll, refuseInTurn } from './link.ts';
import type { Link } from './link.ts';

/** RST as Node tells of it. EPIPE: it came after a FIN, read or not yet read (Linux, tcp_reset in CLOSE_WAIT). */
const RESET_CODES = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** Has the kernel tell of the socket's error, if it has one; nothing goes on the wire. */
const askForError = ({ socket }: Link): void => {
  if (!socket.writableEnded && !socket.destroyed && socket.writableLength === 0) socket.write('');
};

const notePeer = (link: Link, how: CloseHow, atMs: number): void => {
  const { upstream, current } = link;
  upstream.ledger.note(upstream.actor, {
    type: 'peer-closed', connection: link.number, exchange: current?.number ?? null, marker: current?.marker ?? null,
    how, bytes: current?.sent.bytes ?? 0, events: current?.sent.events ?? 0,
  }, atMs);
};

const tellFin = (link: Link, atMs: number): void => {
  link.finTold = true;
  link.outcome ??= { by: 'peer', how: 'fin' };
  notePeer(link, 'fin', atMs);
};

/** In the turn after the end was read: it was a FIN, unless the socket has turned out to be reset. */
const confirmFin = (link: Link): void => {
  settleFailure(link);
  if (link.finTold) return;
  tellFin(link, link.finMs);
  link.peerFin = true;
  if (link.upstream.onFin === 'close') {
    endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer'));
    link.socket.destroy();
    return;
  }
  deafen(link);
  link.upstream.tended.add(link);
  advance(link);
};

/**
 * The end of the peer's direction was read. That need not be a FIN: where a RST comes together with
 * data, libuv takes the hang-up for an end (uv__stream_io, "short-circuit iff POLLHUP"). The kernel
 * still holds the error, and a write of no bytes asks for it: ECONNRESET where no FIN ever came.
 */
export const peerEnded = (link: Link): void => {
  link.finMs = nowMs();
  askForError(link);
  setImmediate(confirmFin, link);
};

/**
 * The socket broke: by the peer's RST, or by the kernel giving up. Only the moment is noted; the rest has
 * time until the sockets that broke in the same instant have been looked at.
 */
export const failed = (link: Link, error: NodeJS.ErrnoException): void => {
  link.failure = { code: error.code ?? '', atMs: nowMs() };
  link.upstream.broken.add(link);
};

/** Tells of the failure that was noted, if there is one. */
export const settleFailure = (link: Link): void => {
  const { failure } = link;
  if (!failure) return;
  link.failure = null;
  const atMs = link.finMs > 0 && !link.finTold ? link.finMs : failure.atMs;
  const reset = RESET_CODES.includes(failure.code);
  if (failure.code === 'EPIPE' && !link.finTold) tellFin(link, atMs);
  link.finTold = true;
  if (reset) notePeer(link, 'rst', atMs);
  link.outcome = { by: reset ? 'peer' : 'self', how: 'rst' };
  endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer', failure.atMs));
};

/** The socket is gone. */
export const closed = (link: Link): void => {
  settleFailure(link);
  const { upstream } = link;
  const { by, how } = link.outcome ?? { by: 'self', how: 'fin' };
  endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer'));
  upstream.tended.remove(link);
  upstream.links.delete(link);
  upstream.ledger.note(upstream.actor, { type: 'connection-closed', connection: link.number, by, how });
};

/**
 * Looks after a connection that is not simply idle or at work. After a FIN libuv no longer reads, so
 * a later RST would stay unseen while nothing is written: the kernel is asked for it.
 */
export const tend = (link: Link, atMs: number): boolean => {
  const { socket } = link;
  if (link.deadlineMs > 0 && atMs >= link.deadlineMs) {
    if (link.deaf) socket.destroy();
    else {
      refuseInTurn(link, refusal(408, 'the request did not arrive in time'));
      advance(link);
    }
  }
  if (link.peerFin && link.current) askForError(link);
  return link.deadlineMs > 0 || link.peerFin;
};
