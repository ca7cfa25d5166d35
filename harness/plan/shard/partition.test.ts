import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partition } from './partition.ts';
import type { Share } from './partition.ts';
import type { Weighed } from './weigh.ts';

const cell = (id: string, weightMs: number, control: string | null = null): Weighed =>
  ({ id, weightMs, control: control === null ? null : { key: control, weightMs: 7_000 } });

/** Counted anew from the ids alone: cells, and each control once on every shard that needs it. */
const workOf = (cells: readonly Weighed[], { ids }: Share): number => {
  const own = cells.filter(({ id }) => ids.includes(id));
  const controls = new Map(own.flatMap(({ control }) => (control ? [[control.key, control.weightMs] as const] : [])));
  return own.reduce((sum, { weightMs }) => sum + weightMs, 0) + [...controls.values()].reduce((sum, ms) => sum + ms, 0);
};

const someCells = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60_000 }), fc.option(fc.constantFrom('a', 'b', 'c'))), { maxLength: 40 })
  .map((all) => all.map(([weightMs, control], index) => cell(`c${index}`, weightMs, control)));

test('every cell is on one shard, and shards weigh what is on them', () =>
  fc.assert(fc.property(someCells, fc.integer({ min: 1, max: 9 }), (cells, count) => {
    const shares = partition(cells, count);
    expect(shares).toHaveLength(count);
    expect(shares.flatMap(({ ids }) => ids).sort()).toEqual(cells.map(({ id }) => id).sort());
    for (const share of shares) expect(share.weightMs).toBe(workOf(cells, share));
  })));

test('the order in which cells are given, and how controls are called, change nothing', () =>
  fc.assert(fc.property(someCells, fc.integer({ min: 1, max: 9 }), (cells, count) => {
    const other = cells.toReversed().map((each) => ({ ...each, control: each.control && { ...each.control, key: `elsewhere/${each.control.key}` } }));
    const sets = (shares: readonly Share[]): unknown => shares.map(({ ids, weightMs }) => [ids.toSorted(), weightMs]);
    expect(sets(partition(other, count))).toEqual(sets(partition(cells, count)));
  })));

test('no shard is longer than twice what cannot be avoided', () =>
  fc.assert(fc.property(someCells, fc.integer({ min: 1, max: 9 }), (cells, count) => {
    const whole = workOf(cells, { ids: cells.map(({ id }) => id), weightMs: 0 });
    const largest = Math.max(0, ...cells.map(({ weightMs, control }) => weightMs + (control?.weightMs ?? 0)));
    expect(Math.max(...partition(cells, count).map(({ weightMs }) => weightMs))).toBeLessThanOrEqual(whole / count + largest + 7_000);
  })));

test('one long cell has a shard of its own, where counting would give it company', () => {
  const shares = partition([cell('long', 60_000), ...Array.from({ length: 6 }, (_, index) => cell(`s${index}`, 10_000))], 2);
  expect(shares.map(({ weightMs }) => weightMs)).toEqual([60_000, 60_000]);
});

test('cells of one control stay together where apart would cost it twice', () => {
  const cells = [...['a', 'b'].flatMap((key) => [0, 1, 2].map((index) => cell(`${key}${index}`, 3_000, key)))];
  expect(partition(cells, 2).map(({ ids }) => ids)).toEqual([['a0', 'a1', 'a2'], ['b0', 'b1', 'b2']]);
});

test('and are parted where that is shorter all the same', () => {
  const shares = partition(Array.from({ length: 8 }, (_, index) => cell(`c${index}`, 20_000, 'a')), 2);
  expect(shares.map(({ weightMs }) => weightMs)).toEqual([87_000, 87_000]);
});

/** Times of a run of the whole catalogue, over and over; of three cells two share a control with others. */
const recordedCells = (count: number): readonly Weighed[] => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'bench', 'recorded-durations.json'), 'utf8');
  const times = Object.entries((JSON.parse(text) as { readonly cells: { readonly docker: Readonly<Record<string, number>> } }).cells.docker);
  return Array.from({ length: count }, (_, index) => {
    const [id, weightMs] = times[index % times.length]!;
    const round = Math.floor(index / times.length);
    return cell(`${id} ${round}`, weightMs, index % 3 === 0 ? null : `control ${round}`);
  });
};

test('ten thousand cells on fifty machines: each once, none much longer than the others, and the same parts everywhere', () => {
  const [cells, count] = [recordedCells(10_000), 50];
  const shares = partition(cells, count);
  expect(shares).toHaveLength(count);
  expect(shares.flatMap(({ ids }) => ids).sort()).toEqual(cells.map(({ id }) => id).sort());
  const works = shares.map((share) => share.weightMs);
  expect(Math.max(...works)).toBeLessThanOrEqual((1.1 * works.reduce((sum, ms) => sum + ms, 0)) / count);
  for (const index of [0, 24, 49]) expect(works[index]).toBe(workOf(cells, shares[index]!));
  const elsewhere = cells.toReversed().map((each) => ({ ...each, control: each.control && { ...each.control, key: `elsewhere/${each.control.key}` } }));
  expect(partition(elsewhere, count).map(({ ids }) => ids.toSorted())).toEqual(shares.map(({ ids }) => ids.toSorted()));
});

test('with more shards than cells some are empty', () => {
  expect(partition([cell('a', 5)], 3).map(({ ids }) => ids)).toEqual([['a'], [], []]);
});
