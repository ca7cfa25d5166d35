// The HTTP server: routes, and closing. It is told to be closed and takes no part in what streams do.
import http from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../log.ts';
import type { Services } from '../services.ts';
import { chat } from '../shapes/chat.ts';
import { messages } from '../shapes/messages.ts';
import { responses } from '../shapes/responses.ts';
import type { Sweeper } from '../sweeper.ts';
import { answer, refuse } from './body.ts';
import { handleGeneration } from './generation.ts';
import { handleRefund } from './refund.ts';
import { statusOf } from './status.ts';

export type HttpServer = {
  readonly address: AddressInfo;
  /** Stops accepting; connections without a request are closed. */
  readonly stopAccepting: () => void;
  /** Closes every connection that is left, giving them until the limit to close by themselves. */
  readonly close: (limitMs: number) => Promise<void>;
};

const MODELS = { object: 'list', data: [{ id: 'gpt-test', object: 'model', created: 0, owned_by: 'reference-router' }] };

type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const createRoutes = (services: Services, sweeper: Sweeper, isStopping: () => boolean): Readonly<Record<string, Route>> => ({
  ...Object.fromEntries([chat, responses, messages].map((shape): [string, Route] => [
    `POST ${shape.path}`, (request, response) => handleGeneration(services, shape, request, response, isStopping),
  ])),
  // The server listens only once the ledger is open, so that an answer here means ready.
  'GET /v1/models': (_request, response) => answer(response, 200, MODELS),
  'GET /status': (_request, response) => answer(response, 200, statusOf(services, sweeper, isStopping())),
  'POST /refund': (request, response) => handleRefund(services, sweeper, request, response),
});

const listen = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

const createHandler = (services: Services, routes: Readonly<Record<string, Route>>) => {
  // One request at a time per connection. A pipelined one would be answered into a queue that nobody bounds.
  const busy = new WeakSet<object>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const path = (request.url ?? '/').split('?', 1)[0];
    const route = routes[`${request.method} ${path}`];
    if (busy.has(socket)) return refuse(response, [400, 'pipelined', 'send one request after the other']);
    if (!route) return refuse(response, [404, 'no-such-route', 'there is nothing here']);
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
    void Promise.resolve(route(request, response)).catch((error: unknown) => {
      services.log('warning', 'request-failed', { path, error: messageOf(error) });
      refuse(response, [500, 'request-failed', 'the request could not be handled']);
    });
  };
};

/** @throws Error when the address cannot be listened on */
export const startServer = async (services: Services, sweeper: Sweeper, isStopping: () => boolean): Promise<HttpServer> => {
  const server = http.createServer({ keepAliveTimeout: 5_000, requestTimeout: 30_000, headersTimeout: 10_000 });
  server.on('request', createHandler(services, createRoutes(services, sweeper, isStopping)));
  const address = await listen(server, services.config.host, services.config.port);
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const close = async (limitMs: number): Promise<void> => {
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), limitMs);
    await closed;
    clearTimeout(timer);
  };
  return { address, stopAccepting: () => void server.close(), close };
};
