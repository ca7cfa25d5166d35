// What a run would tell about where the symptom begins, in bits, before it is made: the mutual information
// of its answer and the position. Within a gap it is concave, so its highest point is found in few steps.
import type { Posterior } from './posterior.ts';
import { AFTER, BEFORE, RATES } from './rates.ts';

/** Information about the position of `repeats` runs of one version. */
export type Forecast = {
  readonly bits: (version: number, gap: number) => number;
  /** How likely the symptom is in one run of it. */
  readonly bad: (version: number, gap: number) => number;
};

const entropyTerm = (probability: number): number => (probability > 0 ? -probability * Math.log2(probability) : 0);

const choose = (n: number, k: number): number => {
  let value = 1;
  for (let index = 1; index <= k; index += 1) value *= (n - k + index) / index;
  return value;
};

/** How likely each count of bad runs is, given that the weights hold; the sum is that of the weights. */
const spreadOf = (weights: Float64Array, rates: Float64Array | readonly number[], repeats: number): readonly number[] => {
  if (repeats === 1) {
    let all = 0;
    let bad = 0;
    for (let index = 0; index < weights.length; index += 1) {
      all += weights[index]!;
      bad += weights[index]! * rates[index]!;
    }
    return [Math.max(0, all - bad), bad];
  }
  const factors = Array.from({ length: repeats + 1 }, (_, bad) => choose(repeats, bad));
  const spread = factors.map(() => 0);
  for (let index = 0; index < weights.length; index += 1) {
    const rate = rates[index]!;
    for (let bad = 0; bad <= repeats; bad += 1) spread[bad]! += weights[index]! * factors[bad]! * rate ** bad * (1 - rate) ** (repeats - bad);
  }
  return spread;
};

/** Not normalised: of a position with that mass, the mass times the entropy of the count. */
const noiseOf = (spread: readonly number[]): number => {
  const mass = spread.reduce((sum, one) => sum + one, 0);
  return mass > 0 ? spread.reduce((sum, one) => sum + mass * entropyTerm(one / mass), 0) : 0;
};

type Part = { readonly spread: readonly number[]; readonly noise: number };
const partOf = (weights: Float64Array, rates: Float64Array | readonly number[], repeats: number): Part => {
  const spread = spreadOf(weights, rates, repeats);
  return { spread, noise: noiseOf(spread) };
};

/** Running sums: entry `index` is of all parts before `index`. */
const sumsOf = (parts: readonly Part[], sizes: readonly number[], repeats: number): readonly Part[] => {
  const sums: Part[] = [{ spread: Array.from({ length: repeats + 1 }, () => 0), noise: 0 }];
  parts.forEach(({ spread, noise }, index) => {
    const last = sums[index]!;
    sums.push({ spread: last.spread.map((sum, bad) => sum + sizes[index]! * spread[bad]!), noise: last.noise + sizes[index]! * noise });
  });
  return sums;
};

/** @param repeats runs of one version, at least 1 */
export const forecast = ({ gaps, same }: Posterior, repeats: number): Forecast => {
  const sizes = gaps.map(({ from, to }) => to - from);
  const after = gaps.map(({ weights }) => partOf(weights, AFTER, repeats));
  const before = gaps.map(({ weights }) => partOf(weights, BEFORE, repeats));
  const afterSums = sumsOf(after, sizes, repeats);
  const beforeSums = sumsOf(before, sizes, repeats);
  const constant = partOf(same, RATES, repeats);
  const all = beforeSums[gaps.length]!;
  const mixed = (version: number, gap: number, of: (part: Part) => number): number => {
    const inside = version - gaps[gap]!.from;
    return of(afterSums[gap]!) + inside * of(after[gap]!) - (of(beforeSums[gap]!) + inside * of(before[gap]!)) + of(all) + of(constant);
  };
  return {
    bits: (version, gap) => {
      let entropy = 0;
      for (let bad = 0; bad <= repeats; bad += 1) entropy += entropyTerm(mixed(version, gap, ({ spread }) => spread[bad]!));
      return Math.max(0, entropy - mixed(version, gap, ({ noise }) => noise));
    },
    bad: (version, gap) => mixed(version, gap, ({ spread }) => spread.reduce((sum, one, bad) => sum + (one * bad) / repeats, 0)),
  };
};

/**
 * The version with the most of a concave value.
 * @param first may be chosen, as may `last`
 */
export const highest = (first: number, last: number, value: (version: number) => number): number => {
  let low = first;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(middle) < value(middle + 1)) low = middle + 1;
    else high = middle;
  }
  return low;
};
