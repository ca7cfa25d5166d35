// The connection of an aborted stream goes back into the pool as it is: with the rest of an answer on
// its way, which whoever sends the next request takes for their own.
import type { IncomingHttpHeaders } from 'node:http';
import type { Upstream, UpstreamEvents, UpstreamRequest } from '../http/upstream.ts';
import type { Defect } from './defect.ts';

type Head = readonly [status: number, headers: IncomingHttpHeaders];
type Connection = { upstream: Upstream | null; head: Head | null; user: UpstreamEvents | null };

const textOf = ({ path, body }: UpstreamRequest): string =>
  `POST ${path} HTTP/1.1\r\nhost: upstream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.toString()}`;

const createDirtyPool = () => {
  const idle: Connection[] = [];
  /** Its answer is over: it is of no use to anybody. @returns who used it */
  const leave = (connection: Connection): UpstreamEvents | null => {
    const { user } = connection;
    connection.user = null;
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    return user;
  };
  const lend = (connection: Connection, events: UpstreamEvents): Upstream => {
    const upstream = connection.upstream!;
    connection.user = events;
    const giveBack = (): void => {
      if (connection.user !== events) return;
      connection.user = null;
      upstream.pause();
      idle.push(connection);
    };
    return { ...upstream, destroy: giveBack };
  };
  /** The answer goes to whoever uses the connection when it comes. */
  const listen = (connection: Connection): UpstreamEvents => ({
    onHead: (...head) => {
      connection.head = head;
      connection.user?.onHead(...head);
    },
    onData: (chunk) => connection.user?.onData(chunk),
    onEnd: () => leave(connection)?.onEnd(),
    onFailed: (error) => leave(connection)?.onFailed(error),
  });
  const reuse = (connection: Connection, request: UpstreamRequest, events: UpstreamEvents): Upstream => {
    const lent = lend(connection, events);
    lent.socket()?.write(textOf(request));
    // In a later turn, as an answer would come.
    setImmediate(() => {
      if (connection.user === events && connection.head) events.onHead(...connection.head);
      if (connection.user === events) lent.resume();
    });
    return lent;
  };
  const open = (request: UpstreamRequest, events: UpstreamEvents, openClean: (events: UpstreamEvents) => Upstream): Upstream => {
    const kept = idle.pop();
    if (kept) return reuse(kept, request, events);
    const connection: Connection = { upstream: null, head: null, user: events };
    connection.upstream = openClean(listen(connection));
    return lend(connection, events);
  };
  return { open };
};

export const defect: Defect = {
  name: 'reuses-dirty-connection',
  about: 'with POOL on, the connection of an aborted stream is kept, and the next client gets the rest of that stream',
  apply: (behaviour) => {
    const pool = createDirtyPool();
    return {
      ...behaviour,
      openUpstream: (exchange, request, events) =>
        exchange.services.config.pool === 0
          ? behaviour.openUpstream(exchange, request, events)
          : pool.open(request, events, (tracked) => behaviour.openUpstream(exchange, request, tracked)),
    };
  },
};
