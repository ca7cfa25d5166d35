// A scenario that fails as rarely as ever is not told every other night, and one that has changed is.
import { expect, test } from 'vitest';
import { createRandom } from '../../model/random.ts';
import { sameRate } from '../../model/same-rate.ts';
import { changesOf } from './change.ts';

const NOTHING = { low: 0, high: 1 };
const compared = (count: number, of: number, countBefore: number, ofBefore: number) =>
  ({ notPassed: { count, of, ...NOTHING }, before: { count: countBefore, of: ofBefore, nights: 3, ...NOTHING } });

test('the exact test has the values of the books', () => {
  // Fisher (1935): the lady and her tea, three of four.
  expect(sameRate({ count: 3, of: 4 }, { count: 1, of: 4 })).toBeCloseTo(34 / 70, 10);
  expect(sameRate({ count: 8, of: 10 }, { count: 1, of: 10 })).toBeCloseTo(0.005477494641581329, 12);
  expect(sameRate({ count: 7, of: 12 }, { count: 2, of: 5 })).toBeCloseTo(0.6199095022624433, 12);
  expect(sameRate({ count: 12, of: 50 }, { count: 31, of: 400 })).toBeCloseTo(0.0010593892302333042, 12);
  expect(sameRate({ count: 1, of: 30 }, { count: 0, of: 3_000 })).toBeCloseTo(30 / 3_030, 10);
  expect(sameRate({ count: 0, of: 3_000 }, { count: 1, of: 30 })).toBeCloseTo(30 / 3_030, 10);
});

test('nothing of nothing, all of all and very many are no trouble', () => {
  expect([sameRate({ count: 0, of: 0 }, { count: 3, of: 9 }), sameRate({ count: 0, of: 40 }, { count: 0, of: 900 }), sameRate({ count: 40, of: 40 }, { count: 900, of: 900 })]).toEqual([1, 1, 1]);
  expect(sameRate({ count: 2_000, of: 2_000 }, { count: 0, of: 1_000_000 })).toBe(0);
  expect(sameRate({ count: 500, of: 1_000 }, { count: 500_000, of: 1_000_000 })).toBeCloseTo(1, 6);
});

test('one failure after three thousand passes is no change, ten of forty after two hundred are', () => {
  expect(changesOf([compared(1, 30, 0, 3_000)])).toEqual([null]);
  expect(changesOf([compared(0, 3_000, 1, 30)])).toEqual([null]);
  expect(changesOf([compared(29, 30, 3_000, 3_000)])).toEqual([null]);
  const others = Array.from({ length: 99 }, () => compared(0, 30, 3, 3_000));
  expect(changesOf([...others, compared(1, 30, 0, 3_000), compared(10, 40, 0, 200), compared(0, 40, 100, 200)]).slice(-3)).toEqual([null, 'more often', 'less often']);
});

test('of many questions each must be plainer; what was never judged, tonight or before, is none', () => {
  // By chance once in 4,700 comparisons.
  const changed = compared(3, 20, 0, 300);
  const never = Array.from({ length: 400 }, () => [compared(0, 0, 3, 9), compared(2, 4, 0, 0), { notPassed: { count: 3, of: 3, ...NOTHING }, before: null }]).flat();
  expect(changesOf([...never, changed])).toEqual([...never.map(() => null), 'more often']);
  const asked = Array.from({ length: 100 }, () => compared(1, 30, 100, 3_000));
  expect(changesOf([...asked, changed])).toEqual([...asked.map(() => null), null]);
});

test('at a steady rate of one in a thousand, at most one night in a hundred has a line', () => {
  const random = createRandom(3, 'nights');
  const draw = (of: number): number => {
    let count = 0;
    for (let run = 0; run < of; run += 1) if (random.next() < 0.001) count += 1;
    return count;
  };
  const accused = Array.from({ length: 300 }, () => changesOf(Array.from({ length: 100 }, () => compared(draw(30), 30, draw(3_000), 3_000))).some((change) => change !== null));
  expect(accused.filter(Boolean).length).toBeLessThanOrEqual(3);
}, 60_000);
