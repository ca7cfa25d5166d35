// The generator: the same for the same seed, another for another, and no number likelier than the others.
import { expect, test } from 'vitest';
import { anySeed, createRandom, seedOf } from './random.ts';

const drawn = (count: number, below: number, ...words: readonly (string | number)[]): readonly number[] => {
  const random = createRandom(7, ...words);
  return Array.from({ length: count }, () => random.below(below));
};

/** Sum of squares of what each value is seen too often or too rarely, in units of what chance allows. */
const chiSquared = (counts: readonly number[]): number => {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

const tally = (values: readonly number[], kinds: number): readonly number[] => {
  const counts = Array.from({ length: kinds }, () => 0);
  for (const value of values) counts[value]! += 1;
  return counts;
};

// Calculated by another program; seeds are kept in evidence, so the numbers may not change.
test('the same seed and words give the same numbers', () => {
  expect(drawn(5, 1_000, 'a')).toEqual(drawn(5, 1_000, 'a'));
  expect(drawn(6, 1_000, 'order')).toEqual([594, 439, 156, 876, 108, 547]);
  expect(seedOf(4_711, 2)).toBe(2_848_145_536);
});

test('another seed, another word and another place of a word give others', () => {
  const first = (seed: number, ...words: readonly (string | number)[]): number => createRandom(seed, ...words).next();
  const all = [first(1, 'a', 'b'), first(2, 'a', 'b'), first(1, 'ab'), first(1, 'b', 'a'), first(1, 'a', 'b', 1), first(1, 'a', 'b', '1')];
  expect(new Set(all).size).toBe(all.length);
});

test('numbers are uniform: bins, pairs that follow each other, and the first of neighbouring seeds', () => {
  // 99.9 % of uniform samples stay below 149.4 (99 degrees of freedom); the numbers are the same each time.
  const values = drawn(100_000, 100, 'uniform');
  expect(chiSquared(tally(values, 100))).toBeLessThan(149.4);
  const tens = drawn(200_000, 10, 'pairs');
  const pairs = tens.flatMap((value, index) => (index % 2 === 1 ? [tens[index - 1]! * 10 + value] : []));
  expect(chiSquared(tally(pairs, 100))).toBeLessThan(149.4);
  const firsts = Array.from({ length: 20_000 }, (_, seed) => createRandom(seed, 'first').below(100));
  expect(chiSquared(tally(firsts, 100))).toBeLessThan(149.4);
});

test('every order of four is as likely as the others, nothing is lost, and what was given stays', () => {
  const random = createRandom(3, 'orders');
  const given = Object.freeze(['a', 'b', 'c', 'd']);
  const seen = Array.from({ length: 24_000 }, () => random.shuffled(given).join(''));
  const counts = [...Map.groupBy(seen, (order) => order).values()].map(({ length }) => length);
  expect(counts).toHaveLength(24);
  // 99.9 % of 23 degrees of freedom.
  expect(chiSquared(counts)).toBeLessThan(49.7);
  expect(new Set(seen.map((order) => [...order].sort().join('')))).toEqual(new Set(['abcd']));
  expect(random.shuffled([])).toEqual([]);
});

test('numbers stay in their range, at its ends too', () => {
  expect(new Set(drawn(200, 2))).toEqual(new Set([0, 1]));
  expect(drawn(50, 1)).toEqual(Array.from({ length: 50 }, () => 0));
  const random = createRandom(0);
  for (let count = 0; count < 10_000; count += 1) {
    const value = random.next();
    expect(value >= 0 && value < 1).toBe(true);
  }
  expect(random.below(2 ** 53)).toBeGreaterThan(2 ** 32);
});

test('attempts of one seed have seeds of their own, the first the same one', () => {
  expect(seedOf(4_711, 1)).toBe(4_711);
  const seeds = Array.from({ length: 1_000 }, (_, index) => seedOf(4_711, index + 1));
  expect(new Set(seeds).size).toBe(1_000);
  expect(seeds.slice(1).every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
  expect(anySeed()).not.toBe(anySeed());
});
