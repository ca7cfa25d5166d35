// That what is counted for the peer is what the real git does, and that the counts are what they say.
import { expect, test } from 'vitest';
import { fewTrials, isMet, isOftenerWrong } from './aim.ts';
import { bisectWithGit, createRepository } from './git.ts';
import { bestFor, bisectAsGit, judgeVersion, measuredFor } from './k-of-n.ts';
import { historyOf, search } from './ours.ts';
import { intervalOf, tallyOf, tallyText, trialOf } from './trial.ts';

test('the real git asks for the versions that are counted, and makes as many runs', async () => {
  for (const versions of [37, 1_024]) {
    await using repository = await createRepository(versions);
    expect(repository.commits).toHaveLength(versions);
    for (const number of versions === 37 ? [1, 2, 3] : [1]) {
      const trial = trialOf(2, number, number === 1 ? 1 : 0.5, versions);
      const kOfN = number === 1 ? { k: 1, n: 1 } : { k: 2, n: 5 };
      expect(await bisectWithGit(repository, trial, kOfN)).toEqual(bisectAsGit(trial, kOfN));
    }
  }
}, 60_000);

test('a version is judged by k of n, and no run is made that can change nothing', () => {
  const trial = trialOf(1, 1, 1, 8);
  expect(judgeVersion(trial, 7, { k: 2, n: 5 })).toEqual({ isBad: true, runs: 2 });
  expect(judgeVersion(trial, 0, { k: 2, n: 5 })).toEqual({ isBad: false, runs: 4 });
  expect(bestFor(1, 1_024, 0.01)).toEqual({ k: 1, n: 1 });
  expect(bestFor(0.3, 1_024, 0.01)).toEqual({ k: 1, n: 18 });
  expect(measuredFor(trial, 0.01)).toEqual({ kOfN: { k: 1, n: 1 }, runs: 12 });
});

test('ours is counted without what was known before', () => {
  const trial = trialOf(1, 3, 1, 256);
  const [alone, told] = [search(trial, 0.99), search(trial, 0.99, { known: historyOf(trial) })];
  expect([alone.culprit, told.culprit]).toEqual([trial.culprit, trial.culprit]);
  expect(told.runs).toBeLessThan(alone.runs);
  expect(told.runs).toBeGreaterThanOrEqual(8);
});

test('what is aimed at is held beside both peers: their runs, and how often they are wrong', () => {
  const tally = (runs: number, wrong = 0, trials = 500) => ({ runs, wrong, trials });
  const beside = { kOfN: tally(200, 5), bayesect: tally(90, 1, 200) };
  expect(isMet(0.3, tally(100, 5), beside)).toBe(true);
  expect(isMet(0.3, tally(101, 5), beside)).toBe(false);
  expect(isMet(1, tally(200, 5), beside)).toBe(true);
  expect(isMet(0.3, tally(100, 6), beside)).toBe(false);
  // Within 1 %, and nevertheless more often wrong than a peer by more than chance.
  expect(isMet(0.3, tally(100, 5), { ...beside, kOfN: tally(200, 0, 5_000) })).toBe(false);
  expect(isMet(0.3, tally(100, 5), { ...beside, bayesect: tally(90, 0, 5_000) })).toBe(false);
  expect(isMet(0.3, tally(100, 5), { ...beside, bayesect: null })).toBe(true);
  expect([isOftenerWrong(tally(1, 5), tally(1, 5)), isOftenerWrong(tally(1, 0), tally(1, 50)), isOftenerWrong(tally(1, 50), tally(1, 0))]).toEqual([false, false, true]);
  expect([fewTrials(tally(1)), fewTrials(tally(1, 0, 40))]).toEqual(['', '40 trials, not 500: up to 8.8 % wrong is not excluded']);
});

test('intervals are those of Clopper and Pearson', () => {
  expect(intervalOf({ wrong: 0, trials: 500 }).map((share) => share.toFixed(4))).toEqual(['0.0000', '0.0074']);
  expect(intervalOf({ wrong: 5, trials: 100 }).map((share) => share.toFixed(4))).toEqual(['0.0164', '0.1128']);
  expect(tallyText(tallyOf([{ isRight: true, runs: 3 }, { isRight: false, runs: 6 }]))).toBe('5 runs, 1 of 2 wrong (1.3 to 98.7 %)');
});
