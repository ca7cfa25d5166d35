// The quick sums are compared with the slow ones: every position, every pair of rates, one by one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countsOf } from './answer.ts';
import { forecast, highest } from './information.ts';
import { massBetween, observe, startPosterior } from './posterior.ts';
import type { Posterior } from './posterior.ts';
import { AFTER, BEFORE, PAIRS, RATES, SAME_PRIOR } from './rates.ts';
import { logEvidence, severalChanges } from './several-changes.ts';

const VERSIONS = 9;
type Run = { readonly version: number; readonly isBad: boolean };
const runs = (limit: number) => fc.array(fc.record({ version: fc.nat(VERSIONS - 1), isBad: fc.boolean() }), { maxLength: limit });

const posteriorOf = (seen: readonly Run[]): Posterior => seen.reduce((posterior, { version, isBad }) => observe(posterior, version, isBad), startPosterior(VERSIONS));
const likelihood = (seen: readonly Run[], rateOf: (version: number) => number): number =>
  seen.reduce((product, { version, isBad }) => product * (isBad ? rateOf(version) : 1 - rateOf(version)), 1);

/** Entry 0 is "nothing changes", entry `culprit` that it begins there. */
const slowly = (seen: readonly Run[], same = 0.2): readonly number[] => {
  const all = Array.from({ length: VERSIONS }, (_, culprit) =>
    culprit === 0
      ? same * RATES.reduce((sum, rate, index) => sum + SAME_PRIOR[index]! * likelihood(seen, () => rate), 0)
      : ((1 - same) / (VERSIONS - 1)) *
        PAIRS.weight.reduce((sum, weight, pair) => sum + weight * likelihood(seen, (version) => (version >= culprit ? AFTER[pair]! : BEFORE[pair]!)), 0));
  const sum = all.reduce((total, one) => total + one, 0);
  return all.map((one) => one / sum);
};

test('the prior holds every pair once and weighs 1', () => {
  expect(PAIRS.weight.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
  expect(SAME_PRIOR.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
  expect(PAIRS.after.every((after, pair) => after > PAIRS.before[pair]!)).toBe(true);
});

test('the posterior is that of Bayes, one position and one pair at a time', () => {
  fc.assert(
    fc.property(runs(25), (seen) => {
      const posterior = posteriorOf(seen);
      const slow = slowly(seen);
      expect(posterior.sameMass).toBeCloseTo(slow[0]!, 9);
      for (let culprit = 1; culprit < VERSIONS; culprit += 1) expect(massBetween(posterior, culprit - 1, culprit)).toBeCloseTo(slow[culprit]!, 9);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('the order of runs says nothing', () => {
  fc.assert(
    fc.property(runs(25), (seen) => {
      const [one, other] = [posteriorOf(seen), posteriorOf(seen.toReversed())];
      for (let culprit = 1; culprit < VERSIONS; culprit += 1) expect(massBetween(one, culprit - 1, culprit)).toBeCloseTo(massBetween(other, culprit - 1, culprit), 9);
    }),
    { numRuns: 40, seed: 2 },
  );
});

const entropy = (shares: readonly number[]): number => shares.reduce((sum, share) => sum - (share > 0 ? share * Math.log2(share) : 0), 0);

test('the information of a run is what it takes from the entropy of the position, on average', () => {
  fc.assert(
    fc.property(runs(12), fc.nat(VERSIONS - 1), (seen, version) => {
      const posterior = posteriorOf(seen);
      const gap = posterior.gaps.findIndex(({ from, to }) => version >= from && version <= to);
      const one = forecast(posterior, 1);
      const bad = one.bad(version, gap);
      const left = [true, false].reduce((sum, isBad) => {
        const share = isBad ? bad : 1 - bad;
        return share > 1e-12 ? sum + share * entropy(slowly([...seen, { version, isBad }])) : sum;
      }, 0);
      expect(one.bits(version, gap)).toBeCloseTo(entropy(slowly(seen)) - left, 7);
    }),
    { numRuns: 60, seed: 3 },
  );
});

test('more runs of a version never tell less, and the best version is found without looking at all', () => {
  fc.assert(
    fc.property(runs(12), fc.integer({ min: 1, max: 6 }), (seen, repeats) => {
      const posterior = posteriorOf(seen);
      const [few, more] = [forecast(posterior, repeats), forecast(posterior, repeats + 1)];
      posterior.gaps.forEach(({ from, to }, gap) => {
        const all = Array.from({ length: to - from + 1 }, (_, index) => few.bits(from + index, gap));
        all.forEach((bits, index) => expect(more.bits(from + index, gap)).toBeGreaterThan(bits - 1e-9));
        expect(few.bits(highest(from, to, (version) => few.bits(version, gap)), gap)).toBeCloseTo(Math.max(...all), 9);
      });
    }),
    { numRuns: 60, seed: 4 },
  );
});

test('several changes are summed over all places, as one by one', () => {
  const tally = (seen: readonly Run[]) => countsOf(seen.map(({ version, isBad }) => ({ version, answer: isBad ? 'bad' : 'good' })));
  fc.assert(
    fc.property(runs(15), (seen) => {
      const both: readonly Run[] = [{ version: 0, isBad: false }, ...seen, { version: VERSIONS - 1, isBad: true }];
      let sum = 0;
      let places = 0;
      for (let first = 1; first < VERSIONS; first += 1) {
        for (let second = first + 1; second < VERSIONS; second += 1) {
          for (let third = second + 1; third < VERSIONS; third += 1) {
            places += 1;
            const isAfter = (version: number): boolean => version >= third || (version >= first && version < second);
            sum += PAIRS.weight.reduce((total, weight, pair) => total + weight * likelihood(both, (version) => (isAfter(version) ? AFTER[pair]! : BEFORE[pair]!)), 0);
          }
        }
      }
      expect(logEvidence(tally(both), VERSIONS, 3)).toBeCloseTo(Math.log(sum / places), 7);
    }),
    { numRuns: 15, seed: 5 },
  );
});

test('bad, good, bad again and again is no single change; what one change explains is one', () => {
  const of = (version: number, good: number, bad: number) => ({ version, good, bad, other: 0, untestable: 0 });
  expect(severalChanges([of(0, 6, 0), of(300, 0, 6), of(700, 6, 0), of(1023, 0, 6)], 1024)).toBeGreaterThan(0.95);
  expect(severalChanges([of(0, 6, 0), of(300, 6, 0), of(700, 0, 6), of(1023, 0, 6)], 1024)).toBeLessThan(0.02);
  expect(severalChanges([of(0, 9, 0), of(300, 9, 4), of(700, 11, 2), of(1023, 10, 4)], 1024)).toBeLessThan(0.05);
});
