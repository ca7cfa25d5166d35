// Systems that look clean and are not, as plain processes: each is the honest proxy but for one thing, which must be
// told from its evidence; the honest one, which only it lacks, is cleared of everything.
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { VERDICTS, bundleOf, hasOutlivedTheOrder, scenarioFile } from './fixtures/adversaries/verdicts.ts';
import { bundlesOf, claimsOf, nothingLeft, runCli, temporaryFolder } from './test-kit.ts';
import type { Finished, Judged } from './test-kit.ts';

let folder: string;
let finished: Finished;
let bundles: ReadonlyMap<string, Bundle>;
beforeAll(async () => {
  folder = temporaryFolder(true);
  finished = await runCli([scenarioFile], { folder }, ['--jobs', '7']);
  bundles = await bundlesOf(folder);
}, 240_000);
afterAll(async () => {
  await nothingLeft(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}, 30_000);

const judged = (adversary: string): Judged => claimsOf(bundleOf(bundles, adversary, finished.output).verdicts!);

test('the honest system keeps every promise', () => {
  expect(Object.entries(judged('none')).filter(([, { outcome }]) => outcome !== 'held')).toEqual([]);
  expect(Object.keys(judged('none')).length).toBeGreaterThan(10);
});

test('there is a verdict for each adversary of the scenario', () => {
  const listed = /adversary:\n((?: +- .*\n)+)/.exec(readFileSync(scenarioFile, 'utf8'))![1]!.match(/[a-z-]{2,}/g)!;
  expect(listed.filter((name) => name !== 'none').toSorted()).toEqual(Object.keys(VERDICTS).toSorted());
});

test.each(Object.entries(VERDICTS))('%s', (adversary, expected) => {
  const claims = judged(adversary);
  for (const [claim, [outcome, reason]] of Object.entries(expected)) {
    expect(claims[claim], claim).toEqual({ outcome: expect.stringMatching(outcome), reason: expect.stringMatching(reason) });
  }
});

test.each(['reopens', 'half-closes', 'hands-over', 'stops-reading', 'leaves-a-child', 'leaves-a-daemon', 'dies-of-a-pipe'])(
  '%s is accused of nothing else',
  (adversary) => {
    const others = Object.entries(judged(adversary)).filter(([claim]) => !(claim in VERDICTS[adversary]!));
    expect(others.filter(([, { outcome }]) => outcome !== 'held')).toEqual([]);
  },
);

test('what a system prints is listened to until its grace is over', () => {
  hasOutlivedTheOrder(bundleOf(bundles, 'dies-of-a-pipe', finished.output));
});

test('nobody is accused of what another account did', () => {
  for (const adversary of Object.keys(VERDICTS).filter((name) => name !== 'charges-another')) {
    expect(judged(adversary)['charged-once#2']!.outcome, adversary).toBe('held');
  }
});
