// One synthetic trial: versions, a culprit among them, and what each run of each version shows. The same for
// all who are measured, in whatever process they run.
import { createRandom } from '../../model/random.ts';

export const VERSIONS = 1_024;

export type Trial = { readonly seed: number; readonly number: number; readonly versions: number; readonly culprit: number; readonly rate: number };

export const trialOf = (seed: number, number: number, rate: number, versions = VERSIONS): Trial => ({
  seed, number, versions, rate, culprit: 1 + createRandom(seed, 'culprit', String(number)).below(versions - 1),
});

/** @param run which run of this version, from 0 @returns whether it shows the symptom */
export const showsSymptom = ({ seed, number, culprit, rate }: Trial, version: number, run: number): boolean =>
  version >= culprit && (rate >= 1 || createRandom(seed, 'run', `${number}`, `${version}`, `${run}`).next() < rate);

export type Tally = { readonly trials: number; readonly wrong: number; readonly runs: number };

export const tallyOf = (all: readonly { readonly isRight: boolean; readonly runs: number }[]): Tally => ({
  trials: all.length,
  wrong: all.filter(({ isRight }) => !isRight).length,
  runs: all.reduce((sum, { runs }) => sum + runs, 0) / all.length,
});

/** P(at most `wrong` of `trials`) with that share. */
const atMost = (wrong: number, trials: number, share: number): number => {
  let term = (1 - share) ** trials;
  let sum = term;
  for (let count = 1; count <= wrong; count += 1) {
    term *= ((trials - count + 1) / count) * (share / (1 - share));
    sum += term;
  }
  return sum;
};

const crossing = (falls: (share: number) => number, level: number): number => {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (falls(middle) > level) low = middle;
    else high = middle;
  }
  return low;
};

/** The exact interval of Clopper and Pearson, 95 %, as shares. */
export const intervalOf = ({ wrong, trials }: Pick<Tally, 'wrong' | 'trials'>): readonly [number, number] => [
  wrong === 0 ? 0 : crossing((share) => atMost(wrong - 1, trials, share), 0.975),
  wrong === trials ? 1 : crossing((share) => atMost(wrong, trials, share), 0.025),
];

const percent = (share: number): string => (100 * share).toFixed(1);

/** `112 runs, 3 of 500 wrong (0.1 to 1.7 %)` */
export const tallyText = (tally: Tally): string => {
  const [low, high] = intervalOf(tally);
  return `${tally.runs.toFixed(0)} runs, ${tally.wrong} of ${tally.trials} wrong (${percent(low)} to ${percent(high)} %)`;
};
