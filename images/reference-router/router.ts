// The router as a whole: what is started in which order, and how it is stopped without waiting for
// anything that has no bound.
import { randomBytes } from 'node:crypto';
import type { Behaviour } from './behaviour.ts';
import type { Config } from './config.ts';
import { dump } from './dump.ts';
import { createHeartbeat } from './heartbeat.ts';
import { startServer } from './http/server.ts';
import { createUpstreams } from './http/upstream.ts';
import { openLedgerClient } from './ledger/client.ts';
import { createLive } from './live.ts';
import { createLog } from './log.ts';
import type { Services } from './services.ts';
import { createSettlements } from './settlements.ts';
import { createSlots } from './slots.ts';
import { createSweeper } from './sweeper.ts';

export type Router = {
  /** Lets streams go on for the shutdown bound, cuts the rest visibly, settles, closes. Resolves within the bound and one second. */
  readonly stop: () => Promise<void>;
  /** Says in the log what it holds. */
  readonly dump: () => void;
  /** Resolves with the reason when it cannot go on. */
  readonly failed: Promise<string>;
};

const OPEN_MS = 10_000;
// After the streams: together below the second that a shutdown may take beyond its bound.
const SETTLE_MS = 500;
const CLOSE_MS = 200;

const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, promise]);
  clearTimeout(timer);
};

/** @throws Error when the ledger cannot be opened or the address cannot be listened on */
export const startRouter = async (config: Config, behaviour: Behaviour, write: (line: string) => void): Promise<Router> => {
  const instance = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const log = createLog(instance, write);
  const ledger = await openLedgerClient(config.ledger, OPEN_MS, { instance, leaseMs: config.leaseMs });
  const live = createLive();
  const settlements = createSettlements(ledger, behaviour.settleMs(config.limits.settle), log);
  const slots = createSlots(config.maxConcurrent, config.maxQueue);
  const openUpstream = createUpstreams(config.upstream, config.pool);
  const services: Services = { instance, config, behaviour, ledger, settlements, live, slots, openUpstream, log };
  const heartbeat = createHeartbeat(services);
  const sweeper = createSweeper(services, heartbeat);
  heartbeat.adopt(behaviour.onStart(config));
  let stopping = false;
  const server = await startServer(services, sweeper, () => stopping);
  heartbeat.start();
  sweeper.start();
  const { address: host, port } = server.address;
  log('info', 'listening', { host, port, upstream: config.upstream.origin, defects: config.defects });

  const stop = async (): Promise<void> => {
    stopping = true;
    server.stopAccepting();
    log('info', 'stopping', { live: live.all().length });
    // What is still queued would only begin now: its client had better ask somebody else.
    for (const exchange of live.all()) if (exchange.facts.sentAtMs === null) exchange.end('shutdown');
    await live.isEmptyWithin(behaviour.shutdownStreamsMs(config.shutdownMs));
    for (const exchange of live.all()) exchange.end('shutdown');
    await live.isEmptyWithin(behaviour.shutdownSettlementsMs(SETTLE_MS));
    sweeper.stop();
    heartbeat.stop();
    if (settlements.owed() > 0) await within(CLOSE_MS, settlements.retry());
    const unsettled = live.all().length + settlements.owed();
    // What is left here is active in the ledger; whoever runs next gives it back when its lease is over.
    if (unsettled > 0) log('error', 'stopped-with-unsettled', { unsettled });
    await Promise.all([server.close(CLOSE_MS), ledger.close(CLOSE_MS)]);
    log('info', 'stopped');
  };
  return { stop, dump: () => dump(services, stopping), failed: ledger.failed };
};
