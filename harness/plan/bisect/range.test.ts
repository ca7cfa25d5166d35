// What can never be told apart is answered as a range: a version that was run too seldom, and can be run no longer, keeps no search going.
import { describe, expect, test } from 'vitest';
import type { Recorded } from './answer.ts';
import { breaksAt, runSearch } from './fixture.ts';
import type { Axis } from './fixture.ts';
import { conclude, next, record, resumeSearch } from './search.ts';
import type { Search } from './search.ts';

/** These give one verdict each, and cannot be run again. */
const runOnce = (versions: readonly number[], axis: Axis): Axis => {
  const seen = new Set<number>();
  return (version, random) => {
    if (seen.has(version)) return 'untestable';
    if (versions.includes(version)) seen.add(version);
    return axis(version, random);
  };
};

const runsAt = ({ counts }: Search, version: number): number => counts.find((one) => one.version === version)?.good ?? 0;

describe('a version that came out good by chance and can be run no longer', () => {
  const OPTIONS = { versions: 60, confidence: 0.95, smallestRate: 0.3, maxProbes: 150 };
  const searches = (rate: number, once: readonly number[]): readonly Search[] =>
    Array.from({ length: 16 }, (_, seed) => runSearch(OPTIONS, runOnce(once, breaksAt(23, rate)), seed));

  test('is part of the answer, and the search comes to its end', () => {
    const all = searches(0.5, [23]);
    // In some of them its one verdict is "good".
    expect(all.filter((search) => runsAt(search, 23) === 1).length).toBeGreaterThan(3);
    for (const search of all) {
      const conclusion = conclude(search);
      expect(conclusion.kind).toBe('found');
      expect(search.state.results.length).toBeLessThan(100);
    }
    const wrong = all.map(conclude).filter((end) => end.kind !== 'found' || !(end.good < 23 && end.bad >= 23) || end.bad - end.good > 2);
    expect(wrong.length).toBeLessThanOrEqual(2);
  });

  test('also where several side by side are like that', () => {
    const once = [20, 21, 22, 23, 24, 25, 26, 27];
    const all = searches(0.5, once);
    for (const search of all) expect(conclude(search).kind).toBe('found');
    const wrong = all.map(conclude).filter((end) => end.kind !== 'found' || !(end.good < 23 && end.bad >= 23));
    expect(wrong.length).toBeLessThanOrEqual(2);
  });

  test('is told from its neighbours where a few more runs do that', () => {
    for (const search of searches(1, [23])) expect(conclude(search)).toMatchObject({ kind: 'found', good: 22, bad: 24, width: 2 });
    // The same version, good in truth.
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const search = runSearch(OPTIONS, runOnce([23], breaksAt(24)), seed);
      expect(conclude(search)).toMatchObject({ kind: 'found', good: 23, bad: 24, width: 1 });
    }
  });
});

describe('what was seen of the versions around it', () => {
  const fed = (...results: readonly (readonly [version: number, answer: Recorded['answer'], times: number])[]): Search =>
    resumeSearch({
      options: { versions: 60, smallestRate: 0.3 },
      results: results.flatMap(([version, answer, times]) => Array.from({ length: times }, () => ({ version, answer }))),
    });
  const ends = [[0, 'good', 10], [59, 'bad', 5], [59, 'good', 5], [22, 'good', 20], [24, 'bad', 10], [24, 'good', 10]] as const;

  test('makes the range as wide as it must be, and names the next one that shows it', () => {
    const search = fed(...ends, [23, 'good', 1], [23, 'untestable', 1]);
    expect(conclude(search)).toMatchObject({ kind: 'found', good: 22, bad: 24, width: 2, untried: 0, after: { version: 24, bad: 10, runs: 20 } });
    expect(next(search)).toEqual([]);
  });

  test('is not all there is while the version can be run', () => {
    const search = fed(...ends, [23, 'good', 1]);
    expect(conclude(search)).toMatchObject({ kind: 'searching', phase: 'search' });
    expect(next(search)).toMatchObject([{ version: 23 }]);
  });

  test('a fault of before leaves the same doubt about one that showed it, however often', () => {
    const noisy = [[0, 'good', 14], [0, 'bad', 6], [22, 'good', 28], [22, 'bad', 12], [24, 'good', 12], [24, 'bad', 28], [59, 'good', 6], [59, 'bad', 14]] as const;
    const search = fed(...noisy, [23, 'bad', 2], [23, 'good', 2], [23, 'untestable', 1]);
    expect(conclude(search)).toMatchObject({ kind: 'found', good: 22, bad: 24, width: 2 });
  });

  test('is not passed over: what lies beside it is tried first', () => {
    const search = fed([0, 'good', 10], [59, 'bad', 5], [59, 'good', 5], [20, 'good', 20], [26, 'bad', 10], [26, 'good', 10], [23, 'good', 1], [23, 'untestable', 1]);
    expect(conclude(search)).toMatchObject({ kind: 'searching' });
    const [probe] = next(search);
    expect(probe!.version).toBeGreaterThan(20);
    expect(probe!.version).toBeLessThan(26);
  });

  test('is enough where some of them were never tried: after eight tries in vain they are given up', () => {
    const once = [46, 48, 51, 52, 53].flatMap((version) => [[version, 'good', version < 50 ? 1 : 3], [version, 'untestable', 1]] as const);
    const last = [[54, 'good', 1], [54, 'bad', 2], [54, 'untestable', 1], [57, 'good', 1], [57, 'untestable', 1]] as const;
    const around = [[0, 'good', 29], [0, 'bad', 1], [45, 'good', 111], [45, 'bad', 12], [58, 'good', 108], [58, 'bad', 49], [59, 'good', 20], [59, 'bad', 8]] as const;
    const seven = fed(...around, ...once, ...last);
    expect(conclude(seven)).toMatchObject({ kind: 'searching', phase: 'search' });
    expect(conclude(record(seven, { version: 55, answer: 'good' }))).toMatchObject({ kind: 'searching' });
    expect(conclude(record(seven, { version: 55, answer: 'untestable' }))).toMatchObject({ kind: 'found', bad: 58, untried: 4 });
  });
});
