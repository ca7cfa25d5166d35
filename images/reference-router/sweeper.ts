// Periodic maintenance: settle what is owed, renew what is alive, and only then release what nobody
// renews. In this order, or a ledger that was locked for a while would cost live streams their lease.
import type { Heartbeat } from './heartbeat.ts';
import { messageOf } from './log.ts';
import type { Services } from './services.ts';

// Of a lease.
const LOOKS_EVERY = 1 / 4;
const LOOK_WAITS = 1 / 6;

export type Sweeper = {
  readonly start: () => void;
  readonly stop: () => void;
  /** Releases what is stale; `payer` limits it to one account. */
  readonly sweep: (payer: string | null) => Promise<void>;
  readonly counts: () => { readonly passes: number; readonly released: number; readonly failures: number };
};

export const createSweeper = (services: Services, heartbeat: Heartbeat): Sweeper => {
  const { behaviour, config, ledger, log, settlements } = services;
  const counts = { passes: 0, released: 0, failures: 0 };
  const timers: NodeJS.Timeout[] = [];
  const sweep = async (payer: string | null): Promise<void> => {
    const result = await ledger.call('sweep', { payer, policy: behaviour.sweepPolicy }, config.limits.settle);
    const { released, repaired, failed } = result;
    counts.released += released.length;
    counts.failures += failed.length;
    for (const { id } of released) log('warning', 'stale-reservation-released', { reservation: id });
    for (const account of repaired) log('warning', 'aggregate-repaired', { account });
    for (const { id, error } of failed) log('error', 'release-failed', { id, error });
    behaviour.onSwept(services, result);
  };
  const pass = async (): Promise<void> => {
    try {
      const isReachable = await settlements.retry();
      // A ledger that took neither was locked; sweeping it in the moment it is free would only race those two.
      if ((await heartbeat.beat()) && isReachable && behaviour.sweeps) await sweep(null);
      counts.passes += 1;
    } catch (error) {
      counts.failures += 1;
      log('error', 'sweep-failed', { error: messageOf(error) });
    }
  };
  /** Which leases move is watched all the time, so that a sweep knows it, however rare sweeps are. */
  const look = async (): Promise<void> => {
    // Locked: what could not be looked at does not count as still.
    await ledger.call('look', undefined, config.leaseMs * LOOK_WAITS).catch(() => undefined);
  };
  const every = (ms: number, work: () => Promise<void>): void => {
    let isBusy = false;
    timers.push(setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void work().finally(() => (isBusy = false));
    }, ms));
  };
  const start = (): void => {
    void look();
    every(Math.max(1, config.leaseMs * LOOKS_EVERY), look);
    every(config.sweepMs, pass);
  };
  return { start, stop: () => timers.forEach((timer) => clearInterval(timer)), sweep, counts: () => ({ ...counts }) };
};
