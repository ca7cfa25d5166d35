// The search for a culprit among 1,024 versions, beside `git bisect run` with k-of-n repeats and beside PyPI
// git-bayesect. What is counted is runs; that the peers are the real ones is checked on a real repository.
import { AIM, fewTrials, isMet, TRIALS, WRONG } from './bisect/aim.ts';
import { bayesect, bayesectCommand, pythonWithBayesect } from './bisect/bayesect.ts';
import { bisectWithGit, createRepository } from './bisect/git.ts';
import type { Repository } from './bisect/git.ts';
import { bestFor, bisectAsGit, measuredFor } from './bisect/k-of-n.ts';
import { historyOf, search } from './bisect/ours.ts';
import { tallyOf, tallyText, trialOf, VERSIONS } from './bisect/trial.ts';
import type { Tally, Trial } from './bisect/trial.ts';
import type { Measure, Result } from './measure.ts';
import { messageOf } from '../model/problem.ts';

const SEED = 6;
/** Asked of all alike. */
const CONFIDENCE = 0.995;
/** Of the 500: so many that the real git is shown, too. */
const WITH_GIT = 5;

type Size = { readonly ours: number; readonly bayesect: number };

/** Runs of k-of-n that stops when a version is decided, and of k-of-n that makes all n. */
type KOfNTally = { readonly decided: Tally; readonly all: Tally };

const bothOf = (results: readonly { readonly isRight: boolean; readonly decided: number; readonly all: number }[]): KOfNTally => ({
  decided: tallyOf(results.map(({ isRight, decided }) => ({ isRight, runs: decided }))),
  all: tallyOf(results.map(({ isRight, all }) => ({ isRight, runs: all }))),
});

const told = (trials: readonly Trial[]): KOfNTally =>
  bothOf(trials.map((trial) => {
    const { culprit, runs } = bisectAsGit(trial, bestFor(trial.rate, VERSIONS, 1 - CONFIDENCE));
    return { isRight: culprit === trial.culprit, ...runs };
  }));

const measured = (trials: readonly Trial[]): KOfNTally =>
  bothOf(trials.map((trial) => {
    const { kOfN, runs: before } = measuredFor(trial, 1 - CONFIDENCE);
    const { culprit, runs } = bisectAsGit(trial, kOfN);
    return { isRight: culprit === trial.culprit, decided: before + runs.decided, all: before + runs.all };
  }));

/** @throws Error when the real git goes another way than the one that is counted */
const checkGit = async (repository: Repository, trials: readonly Trial[]): Promise<void> => {
  for (const trial of trials) {
    const kOfN = bestFor(trial.rate, VERSIONS, 1 - CONFIDENCE);
    const [real, simulated] = [await bisectWithGit(repository, trial, kOfN), bisectAsGit(trial, kOfN)];
    if (JSON.stringify(real) !== JSON.stringify(simulated)) throw new Error(`git went ${JSON.stringify(real)}, the count ${JSON.stringify(simulated)}`);
  }
};

const tell = (line: string): void => void process.stderr.write(`\n  ${line}`);

const bayesectTally = async (repository: Repository, trial: Trial, trials: number): Promise<Tally | string> => {
  try {
    const python = await pythonWithBayesect();
    // A few hundred checkouts for one search are enough.
    if (trial.rate >= 0.3) await bayesectCommand(python, repository, trial, CONFIDENCE);
    return await bayesect(python, trial, trials, CONFIDENCE);
  } catch (error) {
    return messageOf(error).split('\n')[0]!;
  }
};

const wrongText = ({ wrong, trials }: Tally): string => `${wrong} of ${trials} wrong`;
const ratio = (ours: Tally, theirs: Tally): string => (ours.runs / theirs.runs).toFixed(2);

/** No way of asking is shorter on average, where the rate is known and good versions never fail (Shannon's channel, Fano's bound). */
const leastRuns = (rate: number): number => {
  const channel = rate === 1 ? 1 : Math.log2(1 + rate * (1 - rate) ** ((1 - rate) / rate));
  return ((1 - WRONG) * Math.log2(VERSIONS - 1)) / channel;
};

const compare = async (rate: number, size: Size): Promise<Result> => {
  const trials = Array.from({ length: size.ours }, (_, number) => trialOf(SEED, number, rate));
  await using repository = await createRepository(VERSIONS);
  await checkGit(repository, trials.slice(0, WITH_GIT));
  const all = Array.from({ length: TRIALS }, (_, number) => trialOf(SEED, number, rate));
  const [peerTold, peerMeasured] = [told(all), measured(all)];
  const outcome = (results: readonly ReturnType<typeof search>[]): Tally => tallyOf(results.map(({ culprit, runs }, index) => ({ isRight: culprit === trials[index]!.culprit, runs })));
  const ours = outcome(trials.map((trial) => search(trial, CONFIDENCE)));
  const oursTold = outcome(trials.map((trial) => search(trial, CONFIDENCE, { known: historyOf(trial) })));
  const peer = await bayesectTally(repository, trials[0]!, size.bayesect);
  tell(`rate ${100 * rate} %, ${VERSIONS} versions, all asked for ${CONFIDENCE}; at least ${leastRuns(rate).toFixed(0)} runs for anybody who is told the rate`);
  tell(`ours, ends and rate measured:         ${tallyText(ours)}`);
  tell(`ours, 100 runs of each end on record: ${tallyText(oursTold)}`);
  for (const [name, tally] of [['measured', peerMeasured], ['told    ', peerTold]] as const) {
    tell(`k-of-n, rate ${name}, stops decided:  ${tallyText(tally.decided)}`);
    tell(`k-of-n, rate ${name}, always all n:   ${tallyText(tally.all)}`);
  }
  tell(`git-bayesect:                         ${typeof peer === 'string' ? `skipped: ${peer}` : tallyText(peer)}\n`);
  const parts = [
    `${tallyText(ours)}; of k-of-n that measures the rate ${ratio(ours, peerMeasured.all)} (stopping when decided ${ratio(ours, peerMeasured.decided)}; ${wrongText(peerMeasured.decided)})`,
    `both told it ${ratio(oursTold, peerTold.all)} (${ratio(oursTold, peerTold.decided)})`,
    typeof peer === 'string' ? 'git-bayesect skipped' : `of git-bayesect ${ratio(ours, peer)} (${wrongText(peer)})`,
    fewTrials(ours),
  ];
  const isThere = typeof peer !== 'string';
  return {
    measured: parts.filter((part) => part !== '').join('; '),
    ...(isThere ? {} : { unmeasured: 'beside git-bayesect' }),
    isMet: isMet(rate, ours, { kOfN: peerMeasured.decided, bayesect: isThere ? peer : null }),
  };
};

const measureOf = (name: string, rate: number, size: Size, aim: string, onlyWhenNamed = false): Measure => ({
  name,
  onlyWhenNamed,
  work: `culprit among ${VERSIONS} versions, failure rate ${100 * rate} %, ${size.ours} trials`,
  beside: 'git bisect run with k-of-n repeats; git-bayesect',
  aim,
  run: () => compare(rate, size),
});

export const bisect = measureOf('bisect', 0.3, { ours: 500, bayesect: 200 }, `<= ${AIM} of the runs of k-of-n, <= 1 % wrong, no more than either`);
export const bisectAlways = measureOf('bisect-always', 1, { ours: 500, bayesect: 200 }, 'fewer runs than k-of-n, <= 1 % wrong, no more than either');
export const bisectRare = measureOf('bisect-rare', 0.05, { ours: 40, bayesect: 20 }, 'fewer runs than k-of-n; 1 % wrong, and no more than either, not excluded', true);
