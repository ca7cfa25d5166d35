// One connection: the queue of what is answered on it, one after the other, and how we end it.
import type { Socket } from 'node:net';
import type { CloseHow } from '../harness/model/observation.ts';
import { nowMs } from '../harness/model/time.ts';
import { endExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { CONTINUE, refusalText } from './http/answer.ts';
import type { Refusal } from './http/head.ts';
import type { Parser } from './http/parser.ts';
import { run } from './interpreter.ts';
import type { Upstream } from './upstream.ts';

/** How long a refused peer may take to leave. */
const LINGER_MS = 1_000;

/** What waits for its turn on the wire. */
type Waiting = Exchange | Refusal | 'continue';

export type Link = {
  readonly number: number;
  readonly socket: Socket;
  readonly upstream: Upstream;
  /** Null while no request is on its way. */
  parser: Parser | null;
  /** No further request is understood: it was refused, or the connection is on its way out. */
  deaf: boolean;
  /** Called by the socket when the kernel has taken a write. */
  readonly flushed: (error?: Error | null) => void;
  current: Exchange | null;
  queue: Waiting[];
  /** When the end of the peer's direction was read, absolute; 0: not yet. What it was is known a turn later. */
  finMs: number;
  /** It was told, or has turned out to be none. */
  finTold: boolean;
  /** The peer's direction is closed; ours goes on. */
  peerFin: boolean;
  /** That the socket broke, until it has been told. */
  failure: { readonly code: string; readonly atMs: number } | null;
  /** Who ended the connection, as far as is known: a reset outweighs a FIN, the first FIN a later one. */
  outcome: { readonly by: 'peer' | 'self'; readonly how: CloseHow } | null;
  /** When its patience ends, absolute; 0: nothing is waited for. */
  deadlineMs: number;
};

const isExchange = (waiting: Waiting): waiting is Exchange => typeof waiting === 'object' && 'frame' in waiting;

/** Hears no further request. */
export const deafen = (link: Link): void => {
  link.deaf = true;
  link.parser = null;
};

/** Ends the exchange that is being answered and those that wait for their turn. */
export const endAll = (link: Link, end: (exchange: Exchange) => void): void => {
  const all = [link.current, ...link.queue];
  link.queue = [];
  for (const one of all) if (one && isExchange(one)) end(one);
};

/** Ends the connection by our own will: after what was written, at once by RST, or our direction only. */
export const closeLink = (link: Link, how: 'fin' | 'rst' | 'half'): void => {
  deafen(link);
  endAll(link, (exchange) => endExchange(exchange, 'cut', 'script'));
  if (how === 'rst') {
    link.outcome = { by: 'self', how: 'rst' };
    link.socket.resetAndDestroy();
    return;
  }
  link.outcome ??= { by: 'self', how: 'fin' };
  if (how === 'half') link.socket.end();
  else link.socket.destroySoon();
};

const refuse = (link: Link, what: Refusal): void => {
  deafen(link);
  link.queue = [];
  link.outcome ??= { by: 'self', how: 'fin' };
  // Closing while the peer still sends would make a reset of it, and the peer might never read why.
  link.socket.end(refusalText(what), 'latin1');
  link.deadlineMs = nowMs() + LINGER_MS;
  link.upstream.tended.add(link);
};

/** Gives the next in the queue its turn, if nobody has it. */
export const advance = (link: Link): void => {
  while (!link.current && link.queue.length > 0) {
    const next = link.queue.shift()!;
    if (next === 'continue') link.socket.write(CONTINUE, 'latin1');
    else if (isExchange(next)) {
      link.current = next;
      run(next);
    } else return refuse(link, next);
  }
  // Nothing is left to go on with, and nothing can come: an idle connection is closed as by any server.
  if (link.peerFin && !link.current && link.outcome?.by === 'peer') closeLink(link, 'fin');
};

/** An answer is complete. */
export const answered = (link: Link, keepAlive: boolean): void => {
  if (keepAlive) advance(link);
  else closeLink(link, 'fin');
};

/** What cannot be understood is answered after what came before it; nothing that follows is heard. */
export const refuseInTurn = (link: Link, what: Refusal): void => {
  deafen(link);
  link.deadlineMs = 0;
  link.queue.push(what);
};
