// Whether one change explains what was seen. Beside it stands: the symptom begins, ends and begins again.
// Both are summed over all places and all failure rates, so neither is helped by being able to say more.
import type { Counts } from './answer.ts';
import { PAIRS, RATES } from './rates.ts';

/** Before anything was seen, so much less likely than a single change. */
const PRIOR_ODDS = 0.01;

const choose = (n: number, k: number): number => {
  let value = 1;
  for (let index = 0; index < k; index += 1) value *= (n - index) / (k - index);
  return n < k ? 0 : value;
};

/** Likelihood of one version's runs with each rate, the highest 1; and the logarithm of what it was divided by. */
const likelihoodsOf = ({ good, bad }: Counts): { readonly values: Float64Array; readonly log: number } => {
  const logs = RATES.map((rate) => (bad > 0 ? bad * Math.log(rate) : 0) + (good > 0 ? good * Math.log(1 - rate) : 0));
  const highest = Math.max(...logs);
  return { values: Float64Array.from(logs, (log) => Math.exp(log - highest)), log: highest };
};

/** One step along the axis: over a gap of so many places, with the runs at its end: the likelihood of them with each rate. */
type Step = { readonly ways: readonly number[]; readonly values: Float64Array };

const stepsOf = (counts: readonly Counts[], versions: number, changes: number): { readonly steps: readonly Step[]; readonly log: number } => {
  let last = 0;
  let log = 0;
  const steps = counts.map((one) => {
    const { values, log: scale } = likelihoodsOf(one);
    const ways = Array.from({ length: changes + 1 }, (_, count) => choose(one.version - last, count));
    last = one.version;
    log += scale;
    return { ways, values };
  });
  return { steps, log: log - Math.log(choose(versions - 1, changes)) };
};

/** From all states into one: so many ways over the gap, and the runs at its end. @returns the highest of it */
const reach = (target: Float64Array, states: readonly Float64Array[], state: number, { ways, values }: Step): number => {
  const rates = state % 2 === 1 ? PAIRS.after : PAIRS.before;
  let highest = 0;
  for (let from = 0; from <= state; from += 1) {
    const way = ways[state - from]!;
    const source = states[from]!;
    if (way > 0) for (let pair = 0; pair < target.length; pair += 1) target[pair]! += way * source[pair]!;
  }
  for (let pair = 0; pair < target.length; pair += 1) {
    const value = target[pair]! * values[rates[pair]!]!;
    target[pair] = value;
    if (value > highest) highest = value;
  }
  return highest;
};

/** Logarithm of the probability of everything seen, if the symptom comes or goes so many times between the ends. */
export const logEvidence = (counts: readonly Counts[], versions: number, changes: number): number => {
  const { steps, log } = stepsOf(counts, versions, changes);
  const size = PAIRS.weight.length;
  let states = Array.from({ length: changes + 1 }, (_, index) => (index === 0 ? Float64Array.from(PAIRS.weight) : new Float64Array(size)));
  let scaled = log;
  for (const step of steps) {
    const reached = states.map(() => new Float64Array(size));
    const highest = Math.max(...reached.map((target, state) => reach(target, states, state, step)));
    if (highest === 0) return Number.NEGATIVE_INFINITY;
    for (const state of reached) for (let pair = 0; pair < size; pair += 1) state[pair]! /= highest;
    states = reached;
    scaled += Math.log(highest);
  }
  return scaled + Math.log(states[changes]!.reduce((sum, one) => sum + one, 0));
};

/** @param counts of versions that were run, both ends among them @returns how likely three changes are, where the other story is one */
export const severalChanges = (counts: readonly Counts[], versions: number): number => {
  if (versions < 4 || counts.length < 4) return 0;
  const odds = PRIOR_ODDS * Math.exp(logEvidence(counts, versions, 3) - logEvidence(counts, versions, 1));
  return odds === Number.POSITIVE_INFINITY ? 1 : odds / (1 + odds);
};
