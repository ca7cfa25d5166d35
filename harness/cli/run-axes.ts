// `hangup run --axis`: every scenario on every wanted version (or other value) of its system.
import { atAll } from '../plan/axes.ts';
import type { concreteAxes as ConcreteAxes } from '../plan/axis-values.ts';
import type { Loaded } from '../plan/select.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

export type AxesPlace = Pick<Terminal, 'environment' | 'signal'> & { readonly progress: (line: string) => void };

/**
 * Each of the loaded once for every combination of the wanted values, in their order.
 * @throws ProblemError `unknown-axis`, `unknown-value`, `bad-range`, `bad-option`, `too-many-combinations`, and what asking a registry throws
 */
export const overAxes = async (loaded: readonly Loaded[], axes: RunOptions['axes'], place: AxesPlace): Promise<readonly Loaded[]> => {
  if (Object.keys(axes).length === 0) return loaded;
  // What orders versions of registries takes a while to load, and most runs have no axis.
  const { concreteAxes } = await import('../plan/axis-values.ts');
  // By card, since each has its own values; the order of the files is kept.
  const concrete = new Map<string, Awaited<ReturnType<typeof ConcreteAxes>>>();
  for (const { card } of loaded) if (!concrete.has(card.key)) concrete.set(card.key, await concreteAxes(card, axes, place));
  const found = loaded.map((one) => atAll([one], concrete.get(one.card.key)!));
  const all = found.flat();
  atAll(all, {});
  return all;
};

/** Further runtimes, where the axis `runtime` asks for them, by kind. @throws ProblemError `runtime-unavailable` */
export const otherRuntimes = async (
  loaded: readonly Loaded[],
  chosen: Selected,
  progress: (line: string) => void,
): Promise<ReadonlyMap<RuntimeKind, Selected>> => {
  const kinds = new Set(loaded.flatMap(({ coordinates }) => (coordinates?.runtime as RuntimeKind | undefined) ?? []));
  kinds.delete(chosen.runtime.kind);
  const found = new Map<RuntimeKind, Selected>();
  for (const kind of kinds) found.set(kind, await selectRuntime(kind, { progress }));
  return found;
};

/** For `selectCells`: what can be isolated on each of them. */
export const isolations = (others: ReadonlyMap<RuntimeKind, Selected>): Readonly<Partial<Record<RuntimeKind, Selected['isolation']>>> =>
  Object.fromEntries([...others].map(([kind, { isolation }]) => [kind, isolation]));
