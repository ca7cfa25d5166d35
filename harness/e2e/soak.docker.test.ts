// A night during which the engine goes away and comes back: what was under way ends in an error and is sealed, nothing is begun
// meanwhile, then it goes on; and nothing is left in the engine.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SoakNight } from '../model/soak.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { eventually } from '../runtimes/fixtures/wait.ts';
import { must } from './fixtures/compose-kit.ts';
import { startForwarder } from './fixtures/engine-forwarder.ts';
import { startCli, temporaryFolder } from './test-kit.ts';

const { available, why } = await createDockerRuntime().probe();
if (!available && process.env['CI'] === 'true') throw new Error(`these tests need the engine: ${why}`);

const LIMIT_MS = 90_000;

test.skipIf(!available)('the engine goes away for a moment: an error, then it goes on', async () => {
  const folder = temporaryFolder();
  const forwarder = await startForwarder(join(folder, 'engine.sock'));
  const soak = startCli(
    ['soak', join(import.meta.dirname, '../../scenarios/disconnect/finite.yaml'), '--for', '10m', '--runtime', 'docker', '--jobs', '1', '--output', 'nights', '--seed', '1'],
    { folder, env: { DOCKER_HOST: forwarder.host } },
  );
  onTestFinished(() => void soak.child.kill('SIGKILL'));
  const nights = join(folder, 'nights');
  const night = (): SoakNight => JSON.parse(readFileSync(join(nights, 'latest/soak.json'), 'utf8')) as SoakNight;
  const runId = await eventually('the night to begin', () => /evidence in \S+-([0-9a-f]+)\n/.exec(soak.output())?.[1], LIMIT_MS);
  const containers = async (): Promise<number> => (await must('docker', ['ps', '-aq', '--filter', `label=hangup.run=${runId}`])).split('\n').filter(Boolean).length;
  /** Folders that were begun for groups of runs, kept ones and those under way. */
  const latestGroup = (): number => Math.max(0, ...readdirSync(join(nights, 'latest/runs')).map(Number));
  await eventually('a run of the night to be under way', async () => (await containers()) > 0, LIMIT_MS);
  await forwarder.leave();
  await eventually('it to notice that the engine is away', () => soak.output().includes('the engine does not answer'), LIMIT_MS);
  const before = latestGroup();
  await forwarder.comeBack();
  await eventually('it to go on', () => soak.output().includes('the engine answers again'), LIMIT_MS);
  await eventually('a run after that to have passed, and another one to begin', () => latestGroup() >= before + 2, LIMIT_MS);
  soak.child.kill('SIGTERM');
  const { code, output } = await soak.finished;
  const { outages, cells, endedEarly } = night();
  expect(outages, output).toHaveLength(1);
  expect(endedEarly).toBe('it was told to stop');
  expect(cells[0]!.outcomes.error).toBeGreaterThanOrEqual(1);
  expect(cells[0]!.outcomes.passed).toBeGreaterThanOrEqual(1);
  // By what was found: an error is one.
  expect(code, output).toBe(3);
  await eventually('everything to be gone', async () => (await containers()) === 0, LIMIT_MS);
  await forwarder.leave();
}, 240_000);
