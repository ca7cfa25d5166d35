// Table D on the runtime of containers, for what no scenario of the reference router provokes: those are
// `hangup run --tag D`, on either runtime.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../bundle/read.ts';
import { DEATHS, expectOwnDeath } from './fixtures/own-death.ts';
import { bundlesOf, claimsOf, FIXTURES, runWords, startCli, temporaryFolder } from './test-kit.ts';
import type { Finished, Judged } from './test-kit.ts';

const answers = spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;

test('an engine answers where tests must not be left out', () => expect(answers || process.env['CI'] === undefined).toBe(true));

describe.skipIf(!answers)('with an engine', () => {
  let folder: string;
  let finished: Finished;
  let bundles: ReadonlyMap<string, Bundle>;
  beforeAll(async () => {
    folder = temporaryFolder(true);
    const files = ['refusals/withheld.yaml', 'refusals/dies.yaml', 'outside-host.yaml'].map((name) => join(FIXTURES, name));
    // Images that are not there yet are built first.
    finished = await startCli(runWords(files, folder, [], 'docker'), { folder }).finished;
    bundles = await bundlesOf(folder);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const judged = (scenario: string): Judged => claimsOf(bundles.get(scenario)!.verdicts!);

  test.each(DEATHS)('D7 a system that dies by itself (%s) is accused of that, and credited with nothing', (end, words) =>
    expectOwnDeath(judged(`refusals/dies[end=${end}]`), words));

  test('D12 what a buffering system withheld is said, and claims about streaming are not made', () => {
    const claims = judged('refusals/withheld');
    expect(claims['upstream-closed']!.outcome).toBe('held');
    expect(claims['upstream-closed']!.reason).toMatch(/never reached alice: the system buffers$/);
    expect(claims['stream-truncated-visibly']!.outcome).toBe('inconclusive');
  });

  test('D15 the system called an outside host without a stand-in', () => {
    expect(judged('fixtures/outside-host')['upstream-closed']).toEqual({
      outcome: 'inconclusive',
      reason: expect.stringMatching(/^the system called prices\.hangup\.example at .*, for which there is no stand-in$/),
    });
    expect(finished.output).toMatch(/rightly inconclusive upstream-closed: the system called prices\.hangup\.example/);
  });

  test('the command failed because a system died', () => expect(finished.code, finished.output).toBe(1));
});
