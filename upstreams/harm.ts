// What the harness does to an upstream in the middle of its work, and to whom: lets exchanges end well,
// breaks them, or lets nobody in for a while.
import { clientOf } from '../harness/model/marker.ts';
import { endExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { finishNow } from './interpreter.ts';
import { settleFailure } from './departure.ts';
import { closeLink, endAll } from './link.ts';
import type { Link } from './link.ts';
import { commandError } from './options.ts';
import { letIn } from './upstream.ts';
import type { Upstream } from './upstream.ts';

/** All open exchanges, those of one client, or that of one marker. */
export type Which = { readonly marker?: string; readonly client?: string };

const isMeant = ({ marker: own }: Exchange, { marker, client }: Which): boolean =>
  (marker === undefined || own === marker) && (client === undefined || (own !== null && clientOf(own) === client));

const openExchanges = (upstream: Upstream, which: Which): readonly Exchange[] =>
  [...upstream.links].flatMap((link) => {
    // One whose socket has broken already is not open any more.
    settleFailure(link);
    return link.current && isMeant(link.current, which) ? [link.current] : [];
  });

/** Lets the open exchanges end well. @returns how many */
export const finishExchanges = (upstream: Upstream, which: Which): number => {
  const open = openExchanges(upstream, which);
  for (const exchange of open) finishNow(exchange);
  return open.length;
};

/** Resets a connection with all that is being answered on it. Resolves when its end has been told. */
export const resetLink = (link: Link): Promise<unknown> => {
  const closed = new Promise((resolve) => link.socket.once('close', resolve));
  settleFailure(link);
  endAll(link, (exchange) => endExchange(exchange, 'cut', 'fault'));
  closeLink(link, 'rst');
  return closed;
};

/** Resets the connections of the open exchanges; idle ones and the listener stay. @returns how many */
export const resetExchanges = async (upstream: Upstream, which: Which): Promise<number> => {
  const open = openExchanges(upstream, which);
  await Promise.all(open.map(({ link }) => resetLink(link)));
  return open.length;
};

/** Takes the listener away and resets every connection. @returns how many were open */
export const stopUpstream = async (upstream: Upstream): Promise<number> => {
  const { server, links } = upstream;
  upstream.server = null;
  upstream.refusing = false;
  const unbound = server && new Promise((resolve) => server.close(resolve));
  const open = [...links];
  // Not the server's close alone: that comes before the close of its last socket was told.
  await Promise.all([unbound, ...open.map(resetLink)]);
  return open.length;
};

const tell = (upstream: Upstream, edge: 'begin' | 'end'): void =>
  upstream.ledger.note(upstream.actor, { type: 'fault-held', fault: 'upstream-refuse', edge });

/**
 * From now on nobody can connect; what is open goes on.
 * @throws Error with the code `not-listening`
 */
export const refuseAll = (upstream: Upstream): void => {
  const { server } = upstream;
  if (!server) throw commandError('not-listening', `upstream ${upstream.name} does not listen`);
  upstream.server = null;
  upstream.refusing = true;
  // The listener is gone at once; what the callback would wait for is the end of the last connection.
  server.close();
  tell(upstream, 'begin');
};

/** Listens again where it did before. @throws Error with the code `not-refusing`, or that of `listen` */
export const admitAll = async (upstream: Upstream): Promise<void> => {
  if (!upstream.refusing) throw commandError('not-refusing', `upstream ${upstream.name} was not told to refuse`);
  await letIn(upstream, upstream.port);
  upstream.refusing = false;
  tell(upstream, 'end');
};
