// Renews the leases of this process, all in one transaction per beat. Only an exchange none of whose
// bounds is due is renewed: being alive is not enough, it has to be getting somewhere.
import { nextDeadlineOf } from './exchange/exchange.ts';
import { messageOf } from './log.ts';
import type { Services } from './services.ts';

export type Heartbeat = {
  /** @returns whether the ledger took it; a beat that is still under way is joined, not doubled */
  readonly beat: () => Promise<boolean>;
  /** Also renews these, until they are no longer active. */
  readonly adopt: (reservations: readonly string[]) => void;
  readonly start: () => void;
  readonly stop: () => void;
};

export const createHeartbeat = (services: Services): Heartbeat => {
  const { behaviour, config, ledger, live, log } = services;
  const adopted = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<boolean> | null = null;
  const renew = async (): Promise<boolean> => {
    const now = performance.now();
    const own = live
      .all()
      .filter((exchange) => behaviour.mayRenew(exchange.facts, (nextDeadlineOf(exchange)?.atMs ?? Number.POSITIVE_INFINITY) <= now))
      .map((exchange) => exchange.id);
    const ids = [...own, ...adopted];
    if (ids.length === 0) return true;
    try {
      const { lost } = await ledger.call('renew', { ids, maximumAgeMs: behaviour.renewableMs(config.limits.age) }, config.leaseMs);
      for (const id of ids) {
        const exchange = live.find(id);
        if (exchange) exchange.leaseAtMs = now;
      }
      for (const id of lost) {
        adopted.delete(id);
        const exchange = live.find(id);
        if (exchange) behaviour.onLost(exchange);
      }
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
  return {
    beat,
    adopt: (reservations) => reservations.forEach((id) => adopted.add(id)),
    start: () => void (timer = setInterval(() => void beat(), config.renewalMs)),
    stop: () => clearInterval(timer),
  };
};
