// The exchanges of this process that are not settled yet, and the count of how others ended.
import type { Exchange } from './exchange/exchange.ts';
import type { Reason } from './exchange/reasons.ts';

export type Live = {
  readonly add: (exchange: Exchange) => void;
  readonly remove: (exchange: Exchange) => void;
  readonly find: (id: string) => Exchange | undefined;
  readonly all: () => readonly Exchange[];
  readonly count: (reason: Reason) => void;
  readonly reasons: () => Readonly<Record<string, number>>;
  /** Resolves when there is none, or never with an infinite limit; true when there was none in time. */
  readonly isEmptyWithin: (limitMs: number) => Promise<boolean>;
};

export const createLive = (): Live => {
  const exchanges = new Map<string, Exchange>();
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  const remove = (exchange: Exchange): void => {
    exchanges.delete(exchange.id);
    if (exchanges.size === 0) for (const wake of waiting) wake();
  };
  const isEmptyWithin = (limitMs: number): Promise<boolean> => {
    if (exchanges.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = Number.isFinite(limitMs) ? setTimeout(() => done(false), limitMs) : undefined;
      const wake = (): void => done(true);
      const done = (empty: boolean): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve(empty);
      };
      waiting.add(wake);
    });
  };
  return {
    add: (exchange) => void exchanges.set(exchange.id, exchange),
    remove,
    find: (id) => exchanges.get(id),
    all: () => [...exchanges.values()],
    count: (reason) => void counts.set(reason, (counts.get(reason) ?? 0) + 1),
    reasons: () => Object.fromEntries(counts),
    isEmptyWithin,
  };
};
