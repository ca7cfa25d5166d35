// How a connection ends, as it was seen: FIN and RST of the peer, each stamped before anything else
// is done, and the end of the connection as a whole.
import type { CloseHow } from '../harness/model/observation.ts';
import { nowMs } from '../harness/model/time.ts';
import { endExchange } from './exchange.ts';
import { refusal } from './http/head.ts';
import { advance, deafen, endAll, refuseInTurn } from './link.ts';
import type { Link } from './link.ts';

/** RST as Node tells of it. EPIPE: it came after the peer's FIN (tcp_reset in CLOSE_WAIT). */
const RESET_CODES = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

const notePeer = (link: Link, how: CloseHow, atMs: number): void => {
  const { upstream, current } = link;
  upstream.ledger.note(upstream.actor, {
    type: 'peer-closed', connection: link.number, exchange: current?.number ?? null, marker: current?.marker ?? null,
    how, bytes: current?.sent.bytes ?? 0, events: current?.sent.events ?? 0,
  }, atMs);
};

/** The peer's FIN was read. */
export const peerEnded = (link: Link): void => {
  const atMs = nowMs();
  notePeer(link, 'fin', atMs);
  link.peerFin = true;
  link.outcome ??= { by: 'peer', how: 'fin' };
  if (link.upstream.onFin === 'close') {
    endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer', atMs));
    link.socket.destroy();
    return;
  }
  deafen(link);
  link.upstream.tended.add(link);
  advance(link);
};

/** The socket broke: by the peer's RST, or by the kernel giving up. */
export const failed = (link: Link, error: NodeJS.ErrnoException): void => {
  const atMs = nowMs();
  const reset = RESET_CODES.includes(error.code ?? '');
  if (reset) notePeer(link, 'rst', atMs);
  link.outcome = { by: reset ? 'peer' : 'self', how: 'rst' };
  endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer', atMs));
};

/** The socket is gone. */
export const closed = (link: Link): void => {
  const { upstream } = link;
  const { by, how } = link.outcome ?? { by: 'self', how: 'fin' };
  endAll(link, (exchange) => endExchange(exchange, 'aborted', 'peer'));
  upstream.tended.remove(link);
  upstream.links.delete(link);
  upstream.ledger.note(upstream.actor, { type: 'connection-closed', connection: link.number, by, how });
};

/**
 * Looks after a connection that is not simply idle or at work. After a FIN libuv no longer reads, so
 * a later RST would stay unseen while nothing is written: a write of no bytes asks the kernel for
 * the socket's error and puts nothing on the wire.
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
  if (link.peerFin && link.current && socket.writableLength === 0) socket.write('');
  return link.deadlineMs > 0 || link.peerFin;
};
