// The same endings on the runtime of containers, where the engine's things must go too; and an image that is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { interruptedOnce, interruptedTwice, killed, removeFolders, sweptByTheNext } from './fixtures/endings.ts';
import type { Ending } from './fixtures/endings.ts';
import { bundlesOf, claimsOf, FIXTURES, nothingLeft, recorded, routerCard, runWords, startCli, temporaryFolder } from './test-kit.ts';

const answers = spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0;

const list = (...args: readonly string[]): readonly string[] =>
  execFileSync('docker', [...args], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Containers, volumes and networks that carry the run's label. */
const others = async (runId: string): Promise<readonly string[]> => {
  const label = ['--quiet', '--filter', `label=hangup.run=${runId}`];
  return [...list('ps', '--all', ...label), ...list('volume', 'ls', ...label), ...list('network', 'ls', ...label)];
};

const ending: Ending = { runtime: 'docker', others };

test('an engine answers where tests must not be left out', () => expect(answers || process.env['CI'] === undefined).toBe(true));

describe.skipIf(!answers)('with an engine', () => {
  // The images are built by the first run, which may take longer than any other.
  beforeAll(() => interruptedOnce(ending), 180_000);
  afterAll(removeFolders);

  test('SIGINT twice ends at once and leaves nothing', () => interruptedTwice(ending));
  test('SIGKILL leaves nothing but a bundle that can be read', () => killed(ending));
  test('what a killed guard could not remove is swept by the next start', () => sweptByTheNext(ending));

  test('a system that somebody else killed is accused of having died, and credited with nothing', async () => {
    const folder = temporaryFolder();
    const started = startCli(runWords([join(FIXTURES, 'refusals', 'killed.yaml')], folder, [], 'docker'), { folder });
    const runId = await recorded(started, 'refusals-killed', '"mark":"streaming"');
    const named = list('ps', '--filter', `label=hangup.run=${runId}`, '--format', '{{.Names}}').filter((name) =>
      /refusals-killed-router/.test(name),
    );
    expect(named).toHaveLength(1);
    execFileSync('docker', ['kill', named[0]!], { stdio: 'ignore' });
    const { code, output } = await started.finished;
    expect(code, output).toBe(1);
    const claims = claimsOf((await bundlesOf(folder)).get('refusals/killed')!.verdicts!);
    expect(claims['process-alive']).toEqual({
      outcome: 'violated',
      reason: expect.stringMatching(/^router died by itself .* with signal SIGKILL$/),
    });
    for (const [claim, { outcome, reason }] of Object.entries(claims)) expect(outcome, `${claim}: ${reason}`).not.toBe('held');
    await nothingLeft(folder);
    expect(await others(runId)).toEqual([]);
  });

  test('an image that the engine does not have', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, 'card.yaml'),
      routerCard([
        ['image: hangup/reference-router', 'image: hangup/no-such-image:0'],
        [/ +build: .*\n/, ''],
      ]),
    );
    const { code, output } = await startCli(runWords([join(FIXTURES, 'stays.yaml')], folder, ['--system', './card.yaml'], 'docker'), {
      folder,
    }).finished;
    expect(code, output).toBe(3);
    expect(output).toMatch(/the engine has no image hangup\/no-such-image:0 \[image-missing\]\n +hint: docker pull/);
  });
});
