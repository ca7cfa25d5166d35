// Takes new connections in and joins each socket to what is done about it.
import type { Socket } from 'node:net';
import { receive } from './arrival.ts';
import { closed, failed, peerEnded } from './departure.ts';
import { drained } from './exchange.ts';
import { run } from './interpreter.ts';
import type { Link } from './link.ts';
import type { Upstream } from './upstream.ts';

// The same four listeners for every connection: closures of their own would be a tenth of what a silent one costs.
const LINK = Symbol('link');
type Linked = Socket & { readonly [LINK]: Link };

function onData(this: Linked, chunk: Buffer): void {
  receive(this[LINK], chunk);
}

function onEnd(this: Linked): void {
  peerEnded(this[LINK]);
}

function onError(this: Linked, error: NodeJS.ErrnoException): void {
  failed(this[LINK], error);
}

function onClose(this: Linked): void {
  closed(this[LINK]);
}

/** A peer that was gone before it was accepted has no address any more. */
const endpoint = (address: string | undefined, port: number | undefined): string =>
  `${(address ?? 'unknown').replace(/^::ffff:/, '')}:${port ?? 0}`;

/** Takes a new connection in. */
export const acceptLink = (upstream: Upstream, socket: Socket): void => {
  const flushed = (error?: Error | null): void => {
    const { current } = link;
    if (error || !current || current.blockedSinceMs === 0 || socket.writableLength > 0) return;
    drained(current);
    run(current);
  };
  upstream.connections += 1;
  const link: Link = {
    number: upstream.connections, socket, upstream, parser: null, deaf: false, flushed,
    current: null, queue: [], finMs: 0, finTold: false, peerFin: false, failure: null, outcome: null, deadlineMs: 0,
  };
  upstream.links.add(link);
  const local = upstream.local ?? endpoint(socket.localAddress, socket.localPort);
  const peer = endpoint(socket.remoteAddress, socket.remotePort);
  upstream.ledger.note(upstream.actor, { type: 'connection-opened', connection: link.number, local, peer });
  const linked = Object.assign(socket, { [LINK]: link });
  linked.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
};
