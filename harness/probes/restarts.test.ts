// The process view when a process is started again, and when one is stopped where it stands.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { ProcessValue } from '../model/samples.ts';
import { isAsleep } from './process-tree.ts';
import { definition } from './process.ts';
import type { ProbeView } from './probe.ts';

const begin = (command = 'sleep 60'): ChildProcess => {
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};
const sampleOf = (view: ProbeView): ProcessValue => view.sample() as ProcessValue;

test('a view with other roots knows what the one before it knew', async () => {
  // An orphan: its parent ends, and it is the first life's for ever.
  const first = begin('sleep 60 >/dev/null & echo $!; wait');
  const [orphan] = (await once(first.stdout!, 'data')).map((data) => Number(String(data)));
  onTestFinished(() => {
    if (orphan !== undefined) process.kill(orphan, 'SIGKILL');
  });
  const other = begin();
  const before = definition.open({ roots: { router: first.pid!, other: other.pid! } });
  expect(sampleOf(before).pids).toContain(orphan);
  const exit = once(first, 'exit');
  first.kill('SIGKILL');
  await exit;
  const second = begin();
  const after = definition.open({ roots: { router: second.pid!, other: other.pid! } }, before);
  expect(sampleOf(after).alive).toEqual({ router: true, other: true });
  expect(sampleOf(after).pids).toEqual(expect.arrayContaining([orphan, second.pid, other.pid]));
  const stranger = definition.open({ roots: { router: second.pid!, other: other.pid! } });
  expect(sampleOf(stranger).pids).not.toContain(orphan);
});

test('a thread that is stopped waits for no processor', async () => {
  const child = begin('while :; do :; done');
  await expect.poll(() => isAsleep('/proc', child.pid!, child.pid!), { message: 'a busy process' }).toBe(false);
  child.kill('SIGSTOP');
  await expect.poll(() => isAsleep('/proc', child.pid!, child.pid!), { message: 'the process to be stopped' }).toBe(true);
  child.kill('SIGCONT');
  await expect.poll(() => isAsleep('/proc', child.pid!, child.pid!), { message: 'the process to go on' }).toBe(false);
});
