// The profile `soak` of docker-compose.yml, brought up as the README says and stopped as a person would: what it had judged lies sealed in
// its volume, with the morning's pages and the history, and it was the container that said how the night ended.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import type { SoakNight } from '../model/soak.ts';
import { createDockerRuntime } from '../runtimes/docker.ts';
import { findCompose, must, openPlayground } from './fixtures/compose-kit.ts';
import { temporaryFolder } from './test-kit.ts';

const { available, why } = await createDockerRuntime().probe();
const compose = findCompose();
const missing = available ? (compose ? null : 'there is no docker-compose') : why;
if (missing !== null && process.env['CI'] === 'true') throw new Error(`these tests need the engine and docker-compose: ${missing}`);

test.skipIf(missing !== null)(`a night in a container that is stopped leaves sealed bundles and its report in the volume (${missing ?? why})`, async () => {
  const folder = temporaryFolder();
  await must(process.execPath, ['harness/tools/images.ts', '--soak']);
  const { run } = await openPlayground(compose!);
  onTestFinished(async () => void (await run(['--profile', 'soak', 'down', '-v', '--timeout', '5'])));
  await run(['--profile', 'soak', 'up', '-d', 'soak'], { SOAK_FOR: '20m', SOAK_DISK: '200MiB', SOAK_JOBS: '2' });
  const container = (await run(['--profile', 'soak', 'ps', '-q', 'soak'])).trim();
  // There is Node in it, and little else. The file is there as soon as a run has ended.
  const untilOver = "const look = () => void (fs.existsSync('/evidence/latest/so-far.ndjson') || setTimeout(look, 100)); look()";
  await must('docker', ['exec', container, 'node', '-e', untilOver]);
  await run(['--profile', 'soak', 'stop', 'soak']);
  const exitCode = Number(await must('docker', ['inspect', '--format', '{{.State.ExitCode}}', container]));

  await must('docker', ['cp', `${container}:/evidence/.`, folder]);
  const [night] = readdirSync(folder).filter((name) => /^\d{8}-/.test(name));
  const report = JSON.parse(readFileSync(join(folder, night!, 'soak.json'), 'utf8')) as SoakNight;
  expect(report).toMatchObject({ endedEarly: 'it was told to stop', runtime: 'process', exitCode });
  // Of a hundred scenarios most had no turn, and nobody was accused.
  expect(report.notReached.length).toBeGreaterThan(0);
  expect(exitCode).toBeOneOf([2, 3]);
  expect(report.cells.flatMap(({ symptoms }) => symptoms).filter(({ outcome }) => outcome === 'violated')).toEqual([]);
  const bundles = readdirSync(join(folder, night!, 'runs'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('manifest.json'));
  expect(bundles.length).toBeGreaterThan(0);
  for (const path of bundles) expect((await readBundle(join(folder, night!, 'runs', dirname(path)))).isSealed, path).toBe(true);
  for (const page of ['soak.html', 'soak.md', '../history.ndjson']) expect(existsSync(join(folder, night!, page)), page).toBe(true);
}, 180_000);
