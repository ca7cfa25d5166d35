// Cells dealt to shards so that the longest shard is as short as can be: the longest cell first, to the shard that is shortest with
// it (LPT), then moved and exchanged while that helps. A control is run on every shard that has one of the cells that share it,
// so cells of one control are also tried as one block, and the better arrangement is taken. The same cells give the same shards everywhere:
// weights are whole numbers, and ties are broken by id.
import type { Weighed } from './weigh.ts';

export type Share = {
  readonly ids: readonly string[];
  /** Work, ms: cells and the controls that they need here. */
  readonly weightMs: number;
};

type Shard = { readonly cells: Set<Weighed>; /** Cells here that share it, by key. */ readonly controls: Map<string, number>; weightMs: number };

const addedMs = ({ controls }: Shard, { weightMs, control }: Weighed): number =>
  weightMs + (control !== null && !controls.has(control.key) ? control.weightMs : 0);

const savedMs = ({ controls }: Shard, { weightMs, control }: Weighed): number =>
  weightMs + (control !== null && controls.get(control.key) === 1 ? control.weightMs : 0);

const put = (shard: Shard, cell: Weighed): void => {
  shard.weightMs += addedMs(shard, cell);
  shard.cells.add(cell);
  if (cell.control) shard.controls.set(cell.control.key, (shard.controls.get(cell.control.key) ?? 0) + 1);
};

const take = (shard: Shard, cell: Weighed): void => {
  shard.weightMs -= savedMs(shard, cell);
  shard.cells.delete(cell);
  if (!cell.control) return;
  const left = shard.controls.get(cell.control.key)! - 1;
  if (left > 0) shard.controls.set(cell.control.key, left);
  else shard.controls.delete(cell.control.key);
};

/** The first of the least. */
const least = <T extends object>(items: readonly T[], of: (item: T) => number): T => {
  let [best, bestOf] = [items[0]!, of(items[0]!)];
  for (const item of items.slice(1)) {
    const value = of(item);
    if (value < bestOf) [best, bestOf] = [item, value];
  }
  return best;
};

const heaviestFirst = (a: Weighed, b: Weighed): number => b.weightMs - a.weightMs || (a.id < b.id ? -1 : 1);

const sumOf = (cells: readonly Weighed[]): number => cells.reduce((sum, { weightMs }) => sum + weightMs, 0);

/** What shares a control as one block, as long as that fits on a shard; all else by itself. The heaviest first. */
const blocksOf = (cells: readonly Weighed[], fitsMs: number): readonly (readonly Weighed[])[] => {
  const groups = [...Map.groupBy(cells.filter(({ control }) => control !== null), ({ control }) => control!.key).values()].map((group) => group.toSorted(heaviestFirst));
  const whole = groups.filter((group) => sumOf(group) + group[0]!.control!.weightMs <= fitsMs);
  const kept = new Set(whole.flat());
  const blocks = [...whole, ...cells.filter((cell) => !kept.has(cell)).map((cell) => [cell])];
  const weight = (block: readonly Weighed[]): number => sumOf(block) + (block[0]!.control?.weightMs ?? 0);
  return blocks.sort((x, y) => weight(y) - weight(x) || (x[0]!.id < y[0]!.id ? -1 : 1));
};

const deal = (blocks: readonly (readonly Weighed[])[], count: number): readonly Shard[] => {
  const shards = Array.from({ length: count }, (): Shard => ({ cells: new Set(), controls: new Map(), weightMs: 0 }));
  for (const block of blocks) {
    const shard = least(shards, (each) => each.weightMs + addedMs(each, block[0]!) + sumOf(block.slice(1)));
    for (const cell of block) put(shard, cell);
  }
  return shards;
};

const longest = (shards: readonly Shard[]): Shard => least(shards, ({ weightMs }) => -weightMs);
const byId = (cells: Iterable<Weighed>): readonly Weighed[] => [...cells].sort((a, b) => (a.id < b.id ? -1 : 1));

type Step = { readonly from: Weighed; readonly to: Shard; readonly back: Weighed | null };

const exchange = (shard: Shard, { from, to, back }: Step): void => {
  take(shard, from);
  if (back) take(to, back);
  put(to, from);
  if (back) put(shard, back);
};

/** What the longer of the two would weigh; tried and taken back, since a control may go or come with either. */
const afterMs = (shard: Shard, step: Step): number => {
  exchange(shard, step);
  const ms = Math.max(shard.weightMs, step.to.weightMs);
  const { from, to, back } = step;
  take(to, from);
  if (back) take(shard, back);
  put(shard, from);
  if (back) put(to, back);
  return ms;
};

/** Steps that could shorten the longest shard at all; exchanges only where no move does. */
const stepsFrom = (shard: Shard, others: readonly Shard[], isExchange: boolean): readonly Step[] =>
  byId(shard.cells).flatMap((from) =>
    others.flatMap((to): readonly Step[] => {
      if (!isExchange) return to.weightMs + addedMs(to, from) < shard.weightMs ? [{ from, to, back: null }] : [];
      return byId(to.cells).flatMap((back) => (back.weightMs < from.weightMs + (from.control?.weightMs ?? 0) ? [{ from, to, back }] : []));
    }));

/** Enough for hundreds of cells; thousands are level when they have been dealt. */
const STEPS = 200;
const TRIES = 20_000;
/** Nothing that people would see is gained below this. */
const LEVEL = 1.002;

const meanMs = (shards: readonly Shard[]): number => shards.reduce((sum, { weightMs }) => sum + weightMs, 0) / shards.length;

const improve = (shards: readonly Shard[], goodMs: number): void => {
  for (let step = 0; step < STEPS; step += 1) {
    const shard = longest(shards);
    if (shard.weightMs <= Math.max(goodMs, meanMs(shards) * LEVEL)) return;
    const others = shards.filter((each) => each !== shard).toSorted((a, b) => a.weightMs - b.weightMs);
    const better = [false, true].some((isExchange) => {
      const steps = stepsFrom(shard, isExchange ? others.slice(0, 5) : others, isExchange).slice(0, TRIES);
      if (steps.length === 0) return false;
      const best = least(steps, (each) => afterMs(shard, each));
      if (afterMs(shard, best) >= shard.weightMs) return false;
      exchange(shard, best);
      return true;
    });
    if (!better) return;
  }
};

/** No shard can be shorter than the mean, with each control once, nor than the longest cell. */
const boundMs = (cells: readonly Weighed[], count: number): number => {
  const controls = new Map(cells.flatMap(({ control }) => (control ? [[control.key, control.weightMs] as const] : [])));
  const whole = sumOf(cells) + [...controls.values()].reduce((sum, ms) => sum + ms, 0);
  return Math.max(whole / count, ...cells.map(({ weightMs, control }) => weightMs + (control?.weightMs ?? 0)));
};

/** What is this near to what cannot be beaten is good enough. */
const NEAR = 1.005;

/** @param cells of different ids @returns one for each shard, some perhaps empty, ids in the order of the cells */
export const partition = (cells: readonly Weighed[], count: number): readonly Share[] => {
  const goodMs = boundMs(cells, count) * NEAR;
  const tried = [cells.toSorted(heaviestFirst).map((cell) => [cell]), blocksOf(cells, goodMs)].map((blocks) => {
    const shards = deal(blocks, count);
    improve(shards, goodMs);
    return shards;
  });
  const [a, b] = tried as [readonly Shard[], readonly Shard[]];
  const isFirst = longest(a).weightMs - longest(b).weightMs || meanMs(a) - meanMs(b);
  const place = new Map(cells.map(({ id }, index) => [id, index]));
  return (isFirst <= 0 ? a : b).map((shard) => ({
    ids: [...shard.cells].map(({ id }) => id).sort((x, y) => place.get(x)! - place.get(y)!),
    weightMs: shard.weightMs,
  }));
};
