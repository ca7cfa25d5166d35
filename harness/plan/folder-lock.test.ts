// Of two at one folder one is refused and takes nothing from the other; setting the folder aside changes nothing of that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

const temporary = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
};

const taken = (holder: string): Error => new Error(`${holder} has it`);
const bisectIn = (folder: string): Promise<Disposable> => lockFolder('bisect', folder, taken);

test('many at once: one has it until it gives it back, by whatever path, also where another folder stands there now', async () => {
  const root = temporary();
  const [folder, alias] = [join(root, 'search'), join(root, 'alias')];
  mkdirSync(folder);
  symlinkSync(folder, alias);
  const refused = { message: expect.stringContaining(`process ${process.pid} has it`) };
  const all = await Promise.allSettled([folder, alias, folder, folder].map(bisectIn));
  const [held, ...more] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(more).toEqual([]);
  expect(all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toMatchObject([refused, refused, refused]);
  renameSync(folder, `${folder}.old-1`);
  mkdirSync(folder);
  await expect(bisectIn(folder)).rejects.toMatchObject(refused);
  // The one that was set aside is nobody's, and a soak is no search.
  (await bisectIn(`${folder}.old-1`))[Symbol.dispose]();
  (await lockFolder('soak', folder, taken))[Symbol.dispose]();
  held![Symbol.dispose]();
  (await bisectIn(alias))[Symbol.dispose]();
});

const locking = (root: string) => {
  const program = `const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))});
    await lockFolder('soak', ${JSON.stringify(root)}, (holder) => holder).then(() => { console.log('locked'); process.stdin.resume(); }, console.log);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: once(createInterface({ input: child.stdout }), 'line') as Promise<[string]> };
};

test.runIf(process.platform === 'linux')('the second process is refused, and does not stay until the first has ended', async () => {
  const root = temporary();
  const first = locking(root);
  expect(await first.said).toEqual(['locked']);
  const second = locking(root);
  const ended = once(second.child, 'exit');
  expect(await second.said).toEqual([`another hangup on this machine, process ${first.child.pid}`]);
  expect(await ended).toEqual([0, null]);
  expect(first.child.exitCode).toBeNull();
});
