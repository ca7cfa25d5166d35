// `hangup run --axis`: every scenario on every wanted version (or other value) of its system.
import { atAll } from '../plan/axes.ts';
import { concreteAxes } from '../plan/axis-values.ts';
import type { Loaded } from '../plan/select.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

export type AxesPlace = Pick<Terminal, 'environment' | 'signal'> & { readonly progress: (line: string) => void };

/**
 * Each of the loaded once for every combination of the wanted values, in their order.
 * @throws ProblemError `unknown-axis`, `unknown-value`, `bad-range`, `bad-option`, `too-many-combinations`, and what asking a registry throws
 */
export const overAxes = async (loaded: readonly Loaded[], axes: RunOptions['axes'], place: AxesPlace): Promise<readonly Loaded[]> => {
  if (Object.keys(axes).length === 0) return loaded;
  // By card, since each has its own values; the order of the files is kept.
  const concrete = new Map<string, Awaited<ReturnType<typeof concreteAxes>>>();
  for (const { card } of loaded) if (!concrete.has(card.key)) concrete.set(card.key, await concreteAxes(card, axes, place));
  const found = loaded.map((one) => atAll([one], concrete.get(one.card.key)!));
  const all = found.flat();
  atAll(all, {});
  return all;
};
