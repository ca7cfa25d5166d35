// One dummy provider: its listener, how it behaves, and the connections that are open to it.
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { acceptLink } from './accept.ts';
import type { Behaviour } from './choice.ts';
import { settleFailure, tend } from './departure.ts';
import { lookAt, PROGRESS_MS } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Limits } from './http/parser.ts';
import { run } from './interpreter.ts';
import { answered, closeLink } from './link.ts';
import type { Link } from './link.ts';
import type { Ledger } from './ledger.ts';
import { createPulse } from './pulse.ts';
import type { Pulse } from './pulse.ts';
import type { ShapeDefinition } from './shapes/shape.ts';
import { createTurns } from './turns.ts';
import type { Turns } from './turns.ts';

const TEND_MS = 200;
/** The kernel's limit (somaxconn) is what counts; it must not be Node's 511. */
const BACKLOG = 4096;

export type Upstream = {
  readonly name: string;
  /** As it signs its facts. */
  readonly actor: string;
  readonly ledger: Ledger;
  /** Null: that of each request's path. */
  readonly shape: ShapeDefinition | null;
  readonly onFin: 'continue' | 'close';
  readonly behaviour: Behaviour;
  readonly limits: Limits;
  /** Exchanges that get another behaviour, by marker. */
  readonly expected: Map<string, Behaviour>;
  readonly links: Set<Link>;
  readonly exchanges: Pulse<Exchange>;
  readonly tended: Pulse<Link>;
  readonly turns: Turns<Exchange>;
  readonly broken: Turns<Link>;
  readonly answered: (link: Link, keepAlive: boolean) => void;
  readonly closeLink: (link: Link, how: 'fin' | 'rst' | 'half') => void;
  server: Server | null;
  /** It was told to let nobody in for a while. */
  refusing: boolean;
  /** It listens on, or would. */
  readonly address: string;
  port: number;
  /** Of the listener, where it is bound to one address. */
  local: string | null;
  connections: number;
  requests: number;
};

export type UpstreamPlan = Pick<Upstream, 'name' | 'ledger' | 'shape' | 'onFin' | 'behaviour' | 'limits'>;

/** Numbers go on from those of the stopped upstream of that name: its facts carry the same signature. */
const createUpstream = (plan: UpstreamPlan, address: string, earlier: Upstream | undefined): Upstream => ({
  ...plan,
  address,
  actor: `upstream.${plan.name}`,
  expected: new Map(),
  links: new Set(),
  exchanges: createPulse(PROGRESS_MS, lookAt),
  tended: createPulse(TEND_MS, tend),
  turns: createTurns(run),
  broken: createTurns(settleFailure),
  answered,
  closeLink,
  server: null,
  refusing: false,
  port: 0,
  local: null,
  connections: earlier?.connections ?? 0,
  requests: earlier?.requests ?? 0,
});

const bind = (server: Server, address: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(bound && typeof bound === 'object' ? bound.port : port);
    });
  });

const unbind = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** A port of that address on which nobody listens, found by having it for a moment. */
const freePort = async (address: string): Promise<number> => {
  const server = createServer();
  const port = await bind(server, address, 0);
  await unbind(server);
  return port;
};

/** Listens, and takes connections in. @throws the error of `listen` */
export const letIn = async (upstream: Upstream, port: number): Promise<void> => {
  const { address } = upstream;
  // Half-open: Node's default would answer a FIN by closing, and make a half-closing leak look clean.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => acceptLink(upstream, socket));
  upstream.port = await bind(server, address, port);
  // A failed accept (no descriptors left) must not end the process and with it every other exchange.
  server.on('error', () => undefined);
  upstream.server = server;
  upstream.local = address === '0.0.0.0' || address === '::' ? null : `${address}:${upstream.port}`;
};

/**
 * Opens an upstream.
 * @param port 0 for any; for a behaviour that does not listen it is only answered
 * @param earlier the stopped upstream of that name, if there was one
 * @throws the error of `listen`, with its code (EADDRINUSE, EADDRNOTAVAIL, EACCES)
 */
export const openUpstream = async (plan: UpstreamPlan, address: string, port: number, earlier?: Upstream): Promise<Upstream> => {
  const upstream = createUpstream(plan, address, earlier);
  if (plan.behaviour.definition.listens === false) upstream.port = port === 0 ? await freePort(address) : port;
  else await letIn(upstream, port);
  return upstream;
};
