// Two axes whose answer is no single pair, or is less than it looks like: what is said then, and what is not.
import { expect, test } from 'vitest';
import { leak, search, testSearch } from './fixture.ts';
import { numberOf, versions } from './test-search.ts';
import type { Shown } from './test-search.ts';

const grid = (first: number, second: number, show: (a: number, b: number) => Shown) =>
  testSearch([versions(first, 'a'), versions(second, 'b')], (place) => {
    const [a, b] = place.map(numberOf);
    return show(a!, b!);
  });

test('two neighbours on the way that do not differ are not the ends: there is something to find, and no one pair', async () => {
  const tried = grid(8, 2, (a, b) => (b === 1 ? (a >= 3 ? leak : {}) : a >= 3 && a <= 5 ? leak : {}));
  const { word, why, pair } = await search(tried);
  expect({ word, pair }).toEqual({ word: 'contradiction', pair: null });
  expect(why).toMatch(/^between a v3 with b v0 and a v3 with b v1 it should begin, and does not: (\d+) of \1 at a v3 with b v0 and (\d+) of \2 at a v3 with b v1 showed the symptom/);
});

test('ends that do not differ are told as before', async () => {
  expect(await search(grid(2, 2, () => leak))).toMatchObject({ word: 'no-difference', why: expect.stringMatching(/^the ends do not differ/) });
});

const unbuildable: Shown = { outcome: 'untestable', why: 'it does not build' };

test('that the other axis makes it alone is not denied where that could not be tested', async () => {
  const known = await search(grid(4, 4, (a) => (a >= 2 ? leak : {})));
  expect(known).toMatchObject({ word: 'found', culprit: ['v2', 'v0'], pair: { alone: 'a', untold: [] } });
  const untold = await search(grid(4, 4, (a, b) => (a === 0 && b === 3 ? unbuildable : a >= 2 ? leak : {})));
  expect(untold).toMatchObject({ word: 'found', culprit: ['v2', 'v0'], pair: { alone: 'a', untold: ['b'] } });
});

test('a pair that is not exact is no culprit, and says on which axis it is how wide', async () => {
  const tried = grid(6, 4, (a) => (a === 2 ? unbuildable : a >= 2 ? leak : {}));
  expect(await search(tried)).toMatchObject({ word: 'range', culprit: null, pair: { alone: 'a', minimal: [{ place: ['v3', 'v0'], good: [['v1', 'v0']], widths: [2, 1] }] } });
  const both = grid(6, 4, (a, b) => (b === 1 ? unbuildable : a >= 3 && b >= 1 ? leak : {}));
  expect(await search(both)).toMatchObject({ word: 'range', culprit: null, pair: { alone: null, minimal: [{ place: ['v3', 'v2'], good: [['v2', 'v2'], ['v3', 'v0']], widths: [1, 2] }] } });
});

test('how often it shows is reckoned of what is known to be good or bad, as along one axis', async () => {
  const rare = grid(6, 4, (a, b) => (a >= 3 && b >= 2 ? leak : {}));
  const { pair } = await search(rare);
  expect(pair!.rates!.good).toBeLessThan(0.1);
  expect(pair!.rates!.bad).toBeGreaterThan(0.9);
  let runs = 0;
  const half = await search(testSearch([versions(4, 'a'), versions(4, 'b')], ([a, b]) => (numberOf(a) >= 2 && numberOf(b) >= 2 && (runs += 1) % 2 === 0 ? leak : {})));
  expect(half).toMatchObject({ word: 'found', culprit: ['v2', 'v2'] });
  expect(half.pair!.rates!.bad).toBeGreaterThan(0.3);
  expect(half.pair!.rates!.bad).toBeLessThan(0.7);
});
