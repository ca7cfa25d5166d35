// Looking backwards for a good end: how far it goes, what it takes for good, and what it says where there is none.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../model/random.ts';
import { breaksAt } from './fixture.ts';
import type { Axis } from './fixture.ts';
import { concludeGood, nextGood, recordGood, resumeFindGood, startFindGood } from './find-good.ts';
import type { GoodSearch } from './find-good.ts';
import { conclude, next, resumeSearch } from './search.ts';

const run = (versions: number, axis: Axis, seed = 1): GoodSearch => {
  const random = createRandom(seed, 'axis').next;
  let search = startFindGood({ versions, smallestRate: 0.1 });
  for (;;) {
    const [probe] = nextGood(search);
    if (probe === undefined) return search;
    search = recordGood(search, { version: probe.version, answer: axis(probe.version, random) });
  }
};

test('steps back one, two, four, eight, until the symptom is missing where it would have shown', () => {
  const search = run(400, breaksAt(380));
  expect(concludeGood(search)).toMatchObject({ kind: 'found', good: 367, bad: 383 });
  expect([...new Set(search.state.results.map(({ version }) => version))]).toEqual([399, 398, 397, 395, 391, 383, 367]);
  expect(search.counts.find(({ version }) => version === 367)!.good).toBeGreaterThan(1);
});

test('what was recorded serves the search between the two', () => {
  const { state } = run(400, breaksAt(380));
  const results = state.results.filter(({ version }) => version >= 367 && version <= 383).map(({ version, answer }) => ({ version: version - 367, answer }));
  const search = resumeSearch({ options: { versions: 17 }, results });
  expect(conclude(search).kind).toBe('searching');
  expect(next(search)).toHaveLength(1);
});

test('a flaky bad version is seldom taken for a good one', () => {
  const wrong = Array.from({ length: 30 }, (_, seed) => concludeGood(run(64, breaksAt(40, 0.4), seed))).filter((end) => end.kind !== 'found' || end.good >= 40);
  expect(wrong.length).toBeLessThanOrEqual(4);
});

test('says so when even the oldest has it, or the bad one does not', () => {
  const all = run(20, () => 'bad');
  expect(concludeGood(all)).toEqual({ kind: 'none', oldest: 0 });
  expect(all.counts).toHaveLength(20);
  expect(concludeGood(run(20, () => 'good'))).toEqual({ kind: 'bad-is-good', runs: 29 });
  expect(concludeGood(run(2, breaksAt(1)))).toMatchObject({ kind: 'found', good: 0, bad: 1 });
});

test('passes over what cannot be run', () => {
  expect(concludeGood(run(100, (version) => (version === 83 || version === 98 ? 'untestable' : version >= 90 ? 'bad' : 'good')))).toMatchObject({ kind: 'found', good: 87, bad: 91 });
  expect(concludeGood(run(30, (version) => (version < 3 ? 'untestable' : version >= 5 ? 'bad' : 'good')))).toMatchObject({ kind: 'found', good: 3, bad: 6 });
  expect(concludeGood(run(30, (version) => (version === 29 ? 'untestable' : 'good')))).toMatchObject({ kind: 'undecided' });
});

describe('old versions that are bad say nothing of those between', () => {
  const island = (from: number, to: number): Axis => (version) => (version >= from && version <= to ? 'good' : 'bad');

  test.each([
    [100, 40, 59],
    [20, 8, 10],
  ])('of %i good ones from %i to %i are found', (versions, from, to) => {
    const search = run(versions, island(from, to));
    const conclusion = concludeGood(search);
    expect(conclusion).toMatchObject({ kind: 'found' });
    const { good, bad } = conclusion as Extract<typeof conclusion, { kind: 'found' }>;
    expect([good >= from && good <= to, bad > to]).toEqual([true, true]);
    // The nearest bad one that was run: between the two lies the search.
    expect(search.counts.filter((one) => one.bad > 0 && one.version > good && one.version < bad)).toEqual([]);
  });

  test('wherever a thirty-second part is good; where there is none, it is said of how many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 700 }), fc.nat(10_000), fc.boolean(), (versions, place, isGood) => {
        const wide = Math.ceil(versions / 32);
        const from = place % Math.max(1, versions - wide);
        const search = run(versions, isGood ? island(from, Math.min(versions - 2, from + wide - 1)) : () => 'bad');
        const conclusion = concludeGood(search);
        const looked = search.counts.length - 1;
        expect(looked).toBeLessThanOrEqual(Math.ceil(Math.log2(versions)) + 1 + 64);
        if (isGood) expect(conclusion.kind === 'found' && conclusion.good >= from && conclusion.good < from + wide && conclusion.bad >= from + wide).toBe(true);
        else expect(conclusion).toEqual(looked === versions - 1 ? { kind: 'none', oldest: 0 } : { kind: 'unreached', bad: looked, untestable: 0 });
        if (versions <= 32 && !isGood) expect(conclusion.kind).toBe('none');
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test('a flaky one that is bad everywhere is seldom taken for a good one, however many are looked at', () => {
    const ends = Array.from({ length: 12 }, (_, seed) => concludeGood(run(100, breaksAt(0, 0.5), seed)));
    expect(ends.filter(({ kind }) => kind === 'found').length).toBeLessThanOrEqual(1);
  });
});

const tried = ({ counts }: GoodSearch): number => counts.filter(({ untestable }) => untestable > 0).length;

test('where the old ones cannot be run, a good one is found if there is one, and few of them are tried', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 600 }), fc.nat(10_000), fc.nat(10_000), (versions, first, second) => {
      const built = first % (versions - 1);
      const culprit = built + (second % (versions - built));
      const search = run(versions, (version) => (version < built ? 'untestable' : version >= culprit ? 'bad' : 'good'));
      const conclusion = concludeGood(search);
      if (culprit > built) {
        expect(conclusion.kind === 'found' && conclusion.good >= built && conclusion.good < culprit && conclusion.bad >= culprit).toBe(true);
      } else {
        const looked = search.counts.length - 1;
        const isAll = looked === versions - 1;
        expect(conclusion).toEqual(isAll ? { kind: 'none', oldest: built } : { kind: 'unreached', bad: looked - tried(search), untestable: tried(search) });
      }
      // Steps and halves; where that leads to nothing, one in each thirty-second part, or in its half.
      expect(tried(search)).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(versions)) + 1 + (culprit > built ? 0 : 64));
    }),
    { numRuns: 60, seed: 1 },
  );
});

describe('where hardly any can be run, those that can are found if they are a thirty-second part', () => {
  const island = (versions: number, from: number, to: number, culprit: number): Axis => (version) =>
    (version >= from && version <= to) || version >= versions - 2 ? (version >= culprit ? 'bad' : 'good') : 'untestable';

  test('far behind', () => {
    const search = run(200, island(200, 5, 20, 100));
    expect(concludeGood(search)).toMatchObject({ kind: 'found', bad: 198 });
    expect(search.state.results.length).toBeLessThan(25);
  });

  test('wherever they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 1_000 }), fc.nat(10_000), fc.boolean(), (versions, place, isGood) => {
        const from = place % (versions - 2 - Math.ceil(versions / 32));
        const to = from + Math.ceil(versions / 32) - 1;
        const search = run(versions, island(versions, from, to, isGood ? versions - 2 : 0));
        if (isGood) {
          const conclusion = concludeGood(search);
          expect(conclusion.kind === 'found' && conclusion.good >= from && conclusion.good <= to).toBe(true);
        } else expect(search.counts.some(({ version, bad }) => version >= from && version <= to && bad > 0)).toBe(true);
        expect(tried(search)).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(versions)) + 64);
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  test('and none is left out of a short axis', () => {
    expect(concludeGood(run(30, island(30, 7, 7, 20)))).toMatchObject({ kind: 'found', good: 7, bad: 28 });
    expect(concludeGood(run(30, island(30, 30, 30, 20)))).toEqual({ kind: 'none', oldest: 28 });
  });
});

test('a stretch in the middle that cannot be run is passed, and what it was tried for is not tried again', () => {
  const search = run(200, (version) => (version >= 90 && version < 150 ? 'untestable' : version >= 80 ? 'bad' : 'good'));
  expect(concludeGood(search)).toMatchObject({ kind: 'found', good: 71, bad: 150 });
  expect(tried(search)).toBeLessThan(10);
});

test('its state is all there is to it', () => {
  const { state } = run(400, breaksAt(200, 0.6), 3);
  const half = { options: state.options, results: state.results.slice(0, 9) };
  expect(nextGood(resumeFindGood(half))).toMatchObject([{ version: state.results[9]!.version }]);
});
