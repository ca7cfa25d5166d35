// The peer: `git bisect run` whose script runs a version n times and calls it bad from k bad runs on. Which
// version comes next is git's own choice on a straight history, which a test holds beside the real git.
import type { Trial } from './trial.ts';
import { showsSymptom } from './trial.ts';

export type KOfN = { readonly k: number; readonly n: number };

export type Judged = {
  readonly isBad: boolean;
  /** When it stops as soon as nothing can change any more. */
  readonly runs: number;
};

/** What the script does to one version. */
export const judgeVersion = (trial: Trial, version: number, { k, n }: KOfN): Judged => {
  let bad = 0;
  for (let run = 0; run < n; run += 1) {
    if (showsSymptom(trial, version, run)) bad += 1;
    if (bad >= k) return { isBad: true, runs: run + 1 };
    if (run + 1 - bad > n - k) return { isBad: false, runs: run + 1 };
  }
  return { isBad: false, runs: n };
};

export type Bisected = {
  readonly culprit: number;
  readonly versions: readonly number[];
  /** A script that stops when it is decided, and one that always makes all n runs. */
  readonly runs: { readonly decided: number; readonly all: number };
};

/** Ends are taken as they were given, as git takes them. */
export const bisectAsGit = (trial: Trial, { k, n }: KOfN): Bisected => {
  let [good, bad] = [0, trial.versions - 1];
  const versions: number[] = [];
  let decided = 0;
  while (bad - good > 1) {
    // Of three candidates git takes the second: it does not look at how many lie behind the first.
    const version = good + (bad - good === 3 ? 2 : Math.floor((bad - good) / 2));
    const { isBad, runs } = judgeVersion(trial, version, { k, n });
    versions.push(version);
    decided += runs;
    if (isBad) bad = version;
    else good = version;
  }
  return { culprit: bad, versions, runs: { decided, all: versions.length * n } };
};

const chooseOf = (n: number, k: number): number => {
  let value = 1;
  for (let index = 0; index < k; index += 1) value *= (n - index) / (k - index);
  return value;
};

/** That a bad version shows fewer than k of n. */
const missOf = (rate: number, { k, n }: KOfN): number => {
  let sum = 0;
  for (let bad = 0; bad < k; bad += 1) sum += chooseOf(n, bad) * rate ** bad * (1 - rate) ** (n - bad);
  return sum;
};

/** Half of the steps meet a bad version, and one miss is enough. */
const wrongOf = (rate: number, kOfN: KOfN, versions: number): number => 1 - (1 - missOf(rate, kOfN) / 2) ** Math.log2(versions);

/** Those with the fewest runs that are wrong at most so often, for one who knows the rate. A good version never fails here, so k is 1. */
export const bestFor = (rate: number, versions: number, wrong: number): KOfN => {
  const all = [1, 2, 3].map((k): KOfN => {
    let n = k;
    while (wrongOf(rate, { k, n }, versions) > wrong) n += 1;
    return { k, n };
  });
  return all.reduce((best, one) => (one.n < best.n ? one : best));
};

/** Bad runs of the bad end that are waited for, and what n is multiplied with, because what they tell of the rate is not sure:
 *  tuned for it to be wrong in 1 % with the fewest runs, at 30 % and at 5 % alike. */
const MEASURED = { bads: 12, margin: 1.22 } as const;

/** For one who has to measure the rate first. @returns how many runs that took, too */
export const measuredFor = (trial: Trial, wrong: number): { readonly kOfN: KOfN; readonly runs: number } => {
  const last = trial.versions - 1;
  let runs = 0;
  for (let bad = 0; bad < MEASURED.bads; runs += 1) if (showsSymptom(trial, last, 1_000_000 + runs)) bad += 1;
  // All bad: it is taken to fail always.
  const rate = runs === MEASURED.bads ? 1 : (MEASURED.bads - 1) / (runs - 1);
  const { k, n } = bestFor(rate, trial.versions, wrong);
  return { kOfN: { k, n: rate === 1 ? 1 : Math.ceil(n * MEASURED.margin) }, runs };
};
