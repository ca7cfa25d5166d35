// Conditions that are looked at whenever something has changed.

export type Waits = {
  /** Something has changed. */
  readonly wake: () => void;
  /** Resolves true when the condition holds, false when `limitMs` runs out. */
  readonly until: (holds: () => boolean, limitMs: number) => Promise<boolean>;
};

export const createWaits = (): Waits => {
  const waiting = new Set<() => void>();
  return {
    wake: () => {
      for (const look of waiting) look();
    },
    until: (holds, limitMs) =>
      new Promise((resolve) => {
        const finish = (result: boolean): void => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(result);
        };
        const look = (): void => {
          if (holds()) finish(true);
        };
        const timer = setTimeout(() => finish(false), limitMs);
        waiting.add(look);
        look();
      }),
  };
};
