// Periodic maintenance: settle what is owed, renew what is alive, and only then release what nobody
// renews. In this order, or a ledger that was locked for a while would cost live streams their lease.
import type { Heartbeat } from './heartbeat.ts';
import { messageOf } from './log.ts';
import type { Services } from './services.ts';

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
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  const sweep = async (payer: string | null): Promise<void> => {
    const { released, repaired, failed } = await ledger.call('sweep', { leaseMs: config.leaseMs, payer }, config.limits.settle);
    counts.released += released.length;
    counts.failures += failed.length;
    for (const reservation of released) log('warning', 'stale-reservation-released', { reservation });
    for (const account of repaired) log('warning', 'aggregate-repaired', { account });
    for (const { id, error } of failed) log('error', 'release-failed', { id, error });
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
  const start = (): void => {
    timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void pass().finally(() => (isBusy = false));
    }, config.sweepMs);
  };
  return { start, stop: () => clearInterval(timer), sweep, counts: () => ({ ...counts }) };
};
