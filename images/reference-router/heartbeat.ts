// Renews the leases of this process, all in one transaction per beat. Only an exchange none of whose
// bounds is due is renewed: being alive is not enough, it has to be getting somewhere.
import { nextDeadlineOf } from './exchange/exchange.ts';
import { messageOf } from './log.ts';
import type { Services } from './services.ts';

export type Heartbeat = {
  /** @returns whether the ledger took it; a beat that is still under way is joined, not doubled */
  readonly beat: () => Promise<boolean>;
  readonly start: () => void;
  readonly stop: () => void;
};

export const createHeartbeat = (services: Services): Heartbeat => {
  const { behaviour, config, ledger, live, log } = services;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<boolean> | null = null;
  const renew = async (): Promise<boolean> => {
    const now = performance.now();
    const ids = live
      .all()
      .filter((exchange) => behaviour.mayRenew(exchange.facts, (nextDeadlineOf(exchange)?.atMs ?? Number.POSITIVE_INFINITY) <= now))
      .map((exchange) => exchange.id);
    if (ids.length === 0) return true;
    try {
      const { lost } = await ledger.call('renew', { ids, maximumAgeMs: config.limits.age }, config.leaseMs);
      for (const id of ids) {
        const exchange = live.find(id);
        if (exchange) exchange.leaseAtMs = now;
      }
      // The money of these has been given back: nobody may go on working on it.
      for (const id of lost) live.find(id)?.end('reservation-lost');
      return true;
    } catch (error) {
      log('warning', 'renewal-failed', { reservations: ids.length, error: messageOf(error) });
      return false;
    }
  };
  const beat = (): Promise<boolean> => {
    underWay ??= renew().finally(() => {
      underWay = null;
    });
    return underWay;
  };
  return { beat, start: () => void (timer = setInterval(() => void beat(), config.renewalMs)), stop: () => clearInterval(timer) };
};
