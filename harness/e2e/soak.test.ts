// A night that is told to stop: what is under way is ended and sealed, the morning's pages are written, the exit code says what was found, and
// the next night knows of it. One that is killed is known by what it had judged.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBundle } from '../bundle/read.ts';
import { nowMs } from '../model/time.ts';
import type { SoakNight } from '../model/soak.ts';
import { bytesBelow } from '../plan/soak/disk.ts';
import type { HistoryLine } from '../plan/soak/history.ts';
import { eventually, ROOT, startCli, temporaryFolder } from './test-kit.ts';

const LIMIT_MS = 90_000;
const KEEP_BYTES = 48 * 1024 * 1024;

/** A night until its first run is over. */
const untilSealed = async (folder: string, ...words: readonly string[]) => {
  const started = startCli(
    ['soak', join(ROOT, 'scenarios/disconnect/finite.yaml'), ...words, '--for', '20m', '--live', '3m', '--runtime', 'process', '--jobs', '2', '--output', 'nights', '--keep-disk', '48MiB', '--seed', '3'],
    { folder },
  );
  onTestFinished(() => void started.child.kill('SIGKILL'));
  const latest = await eventually('the night to begin', () => /evidence in (\S+)\n/.exec(started.output())?.[1], LIMIT_MS);
  const hasSealed = (): boolean => {
    try {
      return readdirSync(join(latest, 'runs'), { recursive: true, encoding: 'utf8' }).some((path) => /disconnect-finite[^/]*\/seal\.json$/.test(path));
    } catch (error) {
      // None has begun, or one was given its last name while it was looked into.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  };
  await eventually('a run to be over', hasSealed, LIMIT_MS);
  return { started, latest };
};

/** As whoever stops a unit with all its processes does: the entry, and the process that it has started. */
const stopAll = (pid: number): void => {
  for (const each of [...readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number), pid]) process.kill(each, 'SIGTERM');
};

/** A night that is told to stop after its first run. */
const soak = async (folder: string, ...words: readonly string[]) => {
  const { started, latest } = await untilSealed(folder, ...words);
  const toldMs = nowMs();
  stopAll(started.child.pid!);
  const finished = await started.finished;
  return { ...finished, tookMs: nowMs() - toldMs, night: JSON.parse(readFileSync(join(latest, 'soak.json'), 'utf8')) as SoakNight };
};

test('two nights: the second is stopped too, finds a planted fault, and says that it is new', async () => {
  const folder = temporaryFolder();
  const first = await soak(folder);
  expect(first.code, first.output).toBe(0);
  // Well within the 90 s that systemd gives.
  expect(first.tookMs).toBeLessThan(60_000);
  expect(first.night).toMatchObject({ endedEarly: 'it was told to stop', history: { nights: 0 }, seed: 3 });
  const nights = join(folder, 'nights');
  for (const path of readdirSync(join(nights, 'latest/runs'), { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('manifest.json')))
    expect((await readBundle(join(nights, 'latest/runs', path, '..'))).isSealed, path).toBe(true);
  for (const page of ['soak.html', 'soak.md', 'soak.json']) expect(existsSync(join(nights, 'latest', page)), page).toBe(true);

  const second = await soak(folder, '--defect', 'settles-twice');
  expect(second.code, second.output).toBe(1);
  const cell = second.night.cells.find((each) => each.cell === 'disconnect/finite')!;
  expect(cell.symptoms.filter(({ outcome }) => outcome === 'violated')[0]).toMatchObject({ isNew: true, bundle: expect.stringMatching(/^runs\/\d+\/disconnect-finite/) });
  expect(cell.before).toMatchObject({ count: 0, nights: 1 });
  expect(second.output).toContain('new tonight: disconnect/finite');
  expect(await bytesBelow(nights)).toBeLessThanOrEqual(KEEP_BYTES);
}, 240_000);

test('a night that is killed is in the history of the next one by what it had judged', async () => {
  const folder = temporaryFolder();
  const { started, latest } = await untilSealed(folder, '--defect', 'settles-twice', '--live', 'none');
  const file = join(latest, 'so-far.ndjson');
  await eventually('the run to be noted', () => existsSync(file), LIMIT_MS);
  started.child.kill('SIGKILL');
  await started.finished;
  const { judged } = JSON.parse(readFileSync(file, 'utf8')) as HistoryLine;
  expect(judged).toBeGreaterThanOrEqual(1);
  expect(existsSync(join(folder, 'nights/history.ndjson'))).toBe(false);
  const next = await soak(folder, '--defect', 'settles-twice', '--live', 'none');
  expect(next.output).toContain(`in the history by what it had judged: ${basename(latest)}`);
  const cell = next.night.cells.find((each) => each.cell === 'disconnect/finite')!;
  expect(cell.before).toMatchObject({ count: judged, of: judged, nights: 1 });
  expect(cell.symptoms.find(({ outcome }) => outcome === 'violated')).toMatchObject({ isNew: false, since: basename(latest) });
  expect(next.night.history).toMatchObject({ nights: 1, note: expect.stringContaining(basename(latest)) });
}, 240_000);
