// The same adversaries in containers, where a container that ends takes along whatever it had left behind.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { VERDICTS, bundleOf, hasOutlivedTheOrder, scenarioFile } from './fixtures/adversaries/verdicts.ts';
import { bundlesOf, claimsOf, runWords, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished, Judged } from './test-kit.ts';

const answers = spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;
const TAKEN_ALONG = ['leaves-a-child', 'leaves-a-daemon'];

test('an engine answers where tests must not be left out', () => expect(answers || process.env['CI'] === undefined).toBe(true));

describe.skipIf(!answers)('with an engine', () => {
  let folder: string;
  let finished: Finished;
  let bundles: ReadonlyMap<string, Bundle>;
  beforeAll(async () => {
    folder = temporaryFolder(true);
    finished = await startCli(runWords([scenarioFile], folder, [], 'docker'), { folder }).finished;
    bundles = await bundlesOf(folder);
  }, 400_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

  const judged = (adversary: string): Judged => claimsOf(bundleOf(bundles, adversary, finished.output).verdicts!);

  test.each(['none', ...TAKEN_ALONG])('%s: every promise is kept', (adversary) => {
    expect(Object.entries(judged(adversary)).filter(([, { outcome }]) => outcome !== 'held')).toEqual([]);
  });

  test.each(Object.entries(VERDICTS).filter(([adversary]) => !TAKEN_ALONG.includes(adversary)))('%s', (adversary, expected) => {
    for (const [claim, [outcome, reason]] of Object.entries(expected)) {
      expect(judged(adversary)[claim], claim).toEqual({ outcome: expect.stringMatching(outcome), reason: expect.stringMatching(reason) });
    }
  });

  test('what a system prints is listened to until its grace is over', () => {
    hasOutlivedTheOrder(bundleOf(bundles, 'dies-of-a-pipe', finished.output));
  });
});
