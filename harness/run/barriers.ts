// Barriers between client scripts: whoever meets waits until everybody who names it has come.
// A script that has ended without coming is no longer waited for, so that nobody hangs on the gone.
import type { Cell } from '../systems/cell.ts';

export type Barriers = {
  /** True when all have come; false when one never will, or the limit ran out first. */
  readonly meet: (name: string, client: string, limitMs: number) => Promise<boolean>;
  /** The client's script has ended. */
  readonly leave: (client: string) => void;
};

type Barrier = { readonly missing: Set<string>; isComplete: boolean; readonly waiting: Set<(haveAllMet: boolean) => void> };

export const createBarriers = (scripts: Cell['scripts']): Barriers => {
  const barriers = new Map<string, Barrier>();
  const barrierOf = (name: string): Barrier => {
    const barrier = barriers.get(name) ?? { missing: new Set(), isComplete: true, waiting: new Set() };
    barriers.set(name, barrier);
    return barrier;
  };
  for (const [client, script] of Object.entries(scripts)) {
    for (const step of script) if (step.kind === 'barrier') barrierOf(String(step.options.name)).missing.add(client);
  }
  const openWhereNobodyIsMissing = ({ missing, isComplete, waiting }: Barrier): void => {
    if (missing.size > 0) return;
    for (const open of waiting) open(isComplete);
  };
  return {
    meet: (name, client, limitMs) =>
      new Promise((resolve) => {
        const barrier = barrierOf(name);
        const open = (haveAllMet: boolean): void => {
          clearTimeout(timer);
          barrier.waiting.delete(open);
          resolve(haveAllMet);
        };
        const timer = setTimeout(() => open(false), limitMs);
        barrier.waiting.add(open);
        barrier.missing.delete(client);
        openWhereNobodyIsMissing(barrier);
      }),
    leave: (client) => {
      for (const barrier of barriers.values()) {
        if (!barrier.missing.delete(client)) continue;
        barrier.isComplete = false;
        openWhereNobodyIsMissing(barrier);
      }
    },
  };
};
