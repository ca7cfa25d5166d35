// Two processes that would soak into one folder: the second is told, and ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const locking = (root: string) => {
  const program = `const { lockNights } = await import(${JSON.stringify(join(import.meta.dirname, 'soak-lock.ts'))});
    await lockNights(${JSON.stringify(root)}).then(() => { console.log('locked'); process.stdin.resume(); }, (error) => console.log(error.problems[0].code));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: once(createInterface({ input: child.stdout }), 'line') as Promise<[string]> };
};

test.runIf(process.platform === 'linux')('the second is refused, and does not stay until the first has ended', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-soak-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const first = locking(root);
  expect(await first.said).toEqual(['locked']);
  const second = locking(root);
  const ended = once(second.child, 'exit');
  expect(await second.said).toEqual(['soak-under-way']);
  expect(await ended).toEqual([0, null]);
  expect(first.child.exitCode).toBeNull();
});
