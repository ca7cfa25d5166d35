// What of the kernel's count is believed, and that a thread that is really kept from its processor is seen so.
import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isAsleep } from './process-tree.ts';
import { createRunDelays, waitedMs } from './run-delays.ts';

const look = { rawMs: 100, trueMs: 40, atMs: 1_000 };

test('the first look takes the kernel at its word', () => {
  expect(waitedMs(undefined, 100, 1_000)).toBe(100);
});

test('who was asleep has waited no longer than since then', () => {
  expect(waitedMs({ ...look, asleep: true }, 1_096, 1_150)).toBe(40 + 150);
  expect(waitedMs({ ...look, asleep: true }, 120, 1_150)).toBe(40 + 20);
});

test('who was ready may have waited since long before', () => {
  expect(waitedMs({ ...look, asleep: false }, 1_096, 1_150)).toBe(40 + 996);
});

test('a count that goes back takes nothing away', () => {
  expect(waitedMs({ ...look, asleep: false }, 90, 1_150)).toBe(40);
});

test('a thread kept from its only processor is seen waiting, and one that sleeps is not', async () => {
  const asleep = spawn('sleep', ['30']);
  const onOne = ['-c', '0', process.execPath, '-e', 'for (;;);'];
  const busy = [spawn('taskset', onOne), spawn('taskset', onOne)];
  const delays = createRunDelays('/proc');
  try {
    expect(spawnSync('taskset', ['--version']).status, 'taskset of util-linux').toBe(0);
    await expect.poll(() => isAsleep('/proc', asleep.pid!, asleep.pid!), { message: 'sleep asleep' }).toBe(true);
    const first = delays.read(busy[0]!.pid!, busy[0]!.pid!)!;
    await expect.poll(() => delays.read(busy[0]!.pid!, busy[0]!.pid!)! - first, { message: 'waiting beside its rival', timeout: 10_000 }).toBeGreaterThan(50);
    expect(isAsleep('/proc', busy[0]!.pid!, busy[0]!.pid!)).toBe(false);
    expect(delays.read(asleep.pid!, asleep.pid!)).toBeLessThan(50);
  } finally {
    for (const child of [asleep, ...busy]) child.kill('SIGKILL');
  }
});

test('what is not there counts nothing', () => {
  expect(createRunDelays('/proc').read(2 ** 22 + 1, 1)).toBeUndefined();
});
