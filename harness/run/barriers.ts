// Barriers between client scripts: whoever meets waits until everybody who names it has come.
// A script that has ended without coming is no longer waited for, so that nobody hangs on the gone.
import type { Cell } from '../systems/cell.ts';

export type Barriers = {
  /** False when the limit ran out first. */
  readonly meet: (name: string, client: string, limitMs: number) => Promise<boolean>;
  readonly leave: (client: string) => void;
};

export const createBarriers = (scripts: Cell['scripts']): Barriers => {
  const expected = new Map<string, Set<string>>();
  for (const [client, script] of Object.entries(scripts)) {
    for (const step of script) {
      if (step.kind !== 'barrier') continue;
      const name = String(step.options.name);
      expected.set(name, (expected.get(name) ?? new Set()).add(client));
    }
  }
  const waiting = new Map<string, (() => void)[]>();
  const open = (name: string): void => {
    if ((expected.get(name)?.size ?? 0) > 0) return;
    for (const resolve of waiting.get(name) ?? []) resolve();
    waiting.delete(name);
  };
  return {
    meet: (name, client, limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), limitMs);
        waiting.set(name, [...(waiting.get(name) ?? []), () => { clearTimeout(timer); resolve(true); }]);
        expected.get(name)?.delete(client);
        open(name);
      }),
    leave: (client) => {
      for (const [name, clients] of expected) if (clients.delete(client)) open(name);
    },
  };
};
