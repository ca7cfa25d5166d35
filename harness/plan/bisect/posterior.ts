// Where the symptom begins, given what was seen: for each gap between versions that were run, and for
// "nothing changes", how likely it is with each pair of failure rates. Within a gap all positions are alike.
import { AFTER, BEFORE, PAIRS, RATES, SAME_PRIOR } from './rates.ts';

/** The symptom begins in one of `from + 1` to `to`. */
export type Gap = {
  readonly from: number;
  readonly to: number;
  /** Of one position in it, with each pair of rates; the sum over positions, pairs and "nothing changes" is 1. */
  readonly weights: Float64Array;
  /** Of one position. */
  readonly mass: number;
};

export type Posterior = {
  readonly versions: number;
  readonly gaps: readonly Gap[];
  /** Nothing changes: with each rate of RATES. */
  readonly same: Float64Array;
  readonly sameMass: number;
};

/** Somebody has seen a difference, so that there is none is the less likely thing. */
const SAME = 0.2;

const sumOf = (weights: Float64Array): number => {
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) sum += weights[index]!;
  return sum;
};

/**
 * @param versions at least 2
 * @param same how likely it is before the first run that nothing changes
 */
export const startPosterior = (versions: number, same = SAME): Posterior => {
  const mass = (1 - same) / (versions - 1);
  return {
    versions,
    gaps: [{ from: 0, to: versions - 1, weights: PAIRS.weight.map((weight) => weight * mass), mass }],
    same: Float64Array.from(SAME_PRIOR, (weight) => weight * same),
    sameMass: same,
  };
};

const split = (gaps: readonly Gap[], version: number): readonly Gap[] =>
  gaps.flatMap((gap) => (gap.from < version && version < gap.to ? [{ ...gap, to: version }, { ...gap, from: version }] : [gap]));

const times = (weights: Float64Array, rates: Float64Array | readonly number[], isBad: boolean): Float64Array => {
  const product = new Float64Array(weights.length);
  if (isBad) for (let index = 0; index < weights.length; index += 1) product[index] = weights[index]! * rates[index]!;
  else for (let index = 0; index < weights.length; index += 1) product[index] = weights[index]! * (1 - rates[index]!);
  return product;
};

const scale = (weights: Float64Array, factor: number): Float64Array => {
  for (let index = 0; index < weights.length; index += 1) weights[index]! *= factor;
  return weights;
};

/**
 * Bayes' rule for one run of one version.
 * @param isBad whether the symptom was seen
 */
export const observe = (posterior: Posterior, version: number, isBad: boolean): Posterior => {
  const gaps = split(posterior.gaps, version).map((gap) => ({ ...gap, weights: times(gap.weights, gap.to <= version ? AFTER : BEFORE, isBad) }));
  const same = times(posterior.same, RATES, isBad);
  const masses = gaps.map(({ weights }) => sumOf(weights));
  const sameMass = sumOf(same);
  const factor = 1 / gaps.reduce((sum, { from, to }, index) => sum + (to - from) * masses[index]!, sameMass);
  return {
    versions: posterior.versions,
    gaps: gaps.map(({ from, to, weights }, index) => ({ from, to, weights: scale(weights, factor), mass: masses[index]! * factor })),
    same: scale(same, factor),
    sameMass: sameMass * factor,
  };
};

/** How likely it is that the symptom begins after `from`, at `to` at the latest. */
export const massBetween = (posterior: Posterior, from: number, to: number): number =>
  posterior.gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)) * gap.mass, 0);
