// What an image is built of lies in a folder that goes with its own harness, and with no other of the same number: in two containers that
// share a folder for what is temporary, both may have it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from './fixtures/wait.ts';
import { findIsolation } from './isolation.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/building.ts');
const containers: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of containers.splice(0)) {
    const ended = once(one, 'exit');
    one.kill('SIGKILL');
    await ended;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const { kind, user } = findIsolation();

/** The first process in there lives on when the harness has ended, as a container's does that runs more than one thing. */
const startIn = async (shared: string) => {
  const own = ['--pid', '--fork', '--kill-child=KILL', '--mount-proc', 'sh', '-c', '"$@"; exec sleep 600', 'first', process.execPath, '--disable-warning=ExperimentalWarning', FIXTURE];
  const container = spawn('unshare', [...user, ...own], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: shared } });
  containers.push(container);
  const [line] = (await once(container.stdout, 'data')) as [Buffer];
  const [pid, folder] = line.toString().trim().split(' ');
  return { pid: Number(pid), folder: folder!, end: () => container.stdin.end() };
};

test.skipIf(kind !== 'namespace')('two harnesses of one number: the guard of the one that ends removes its own folder, and nothing of the other', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'hangup-building-'));
  folders.push(shared);
  const notes = (): readonly string[] =>
    readdirSync(shared).filter((name) => /^hangup-\d+$/.test(name)).flatMap((name) => readdirSync(join(shared, name, 'runs')).filter((file) => file.endsWith('.json')));
  const [one, other] = [await startIn(shared), await startIn(shared)];
  expect(one.pid).toBe(other.pid);
  expect(notes()).toHaveLength(2);
  one.end();
  await eventually('the end of its guard, with its note', () => notes().length === 1);
  expect([existsSync(one.folder), existsSync(other.folder)]).toEqual([false, true]);
  other.end();
  await eventually('the end of the other, too', () => notes().length === 0 && !existsSync(other.folder));
});
