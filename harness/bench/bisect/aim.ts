// Whether a search comes to what is aimed at, beside both peers: fewer runs than the best script that knows as little, and wrong no
// more often than either of them.
import { sameRate } from '../../model/same-rate.ts';
import { intervalOf } from './trial.ts';
import type { Tally } from './trial.ts';

/** Nobody may be wrong more often. */
export const WRONG = 0.01;
/** Of the runs of k-of-n, where it fails in 30 %. */
export const AIM = 0.5;
/** So many trials show whether 1 % is kept. */
export const TRIALS = 500;
const CHANCE = 0.05;

/** What few trials cannot show is not asked of them: only that they do not exclude it. */
const isRight = (ours: Tally): boolean => (ours.trials >= TRIALS ? ours.wrong / ours.trials : intervalOf(ours)[0]) <= WRONG;

/** By more than chance (Fisher's exact test, 5 %). */
export const isOftenerWrong = (one: Tally, other: Tally): boolean =>
  one.wrong / one.trials > other.wrong / other.trials &&
  sameRate({ count: one.wrong, of: one.trials }, { count: other.wrong, of: other.trials }) < CHANCE;

export type Beside = {
  /** Of the script that measures the rate, and stops when a version is decided. */
  readonly kOfN: Tally;
  /** Null: it could not be had. */
  readonly bayesect: Tally | null;
};

export const isMet = (rate: number, ours: Tally, { kOfN, bayesect }: Beside): boolean =>
  isRight(ours) &&
  ours.runs <= (rate === 0.3 ? AIM : 1) * kOfN.runs &&
  [kOfN, bayesect].every((peer) => peer === null || !isOftenerWrong(ours, peer));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What so few trials do not tell; '' where there are enough. */
export const fewTrials = (ours: Tally): string =>
  ours.trials >= TRIALS ? '' : `${ours.trials} trials, not ${TRIALS}: up to ${percent(intervalOf(ours)[1])} wrong is not excluded`;
