// Of two at one folder one is refused and takes nothing from the other; setting the folder aside changes nothing of that.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './bisect-lock.ts';

test('many at once: one has it until it gives it back, by whatever path, also where another folder stands there now', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, alias] = [join(root, 'search'), join(root, 'alias')];
  mkdirSync(folder);
  symlinkSync(folder, alias);
  const refused = { problems: [{ code: 'bisect-running', message: expect.stringContaining(`process ${process.pid} is at work`) }] };
  const all = await Promise.allSettled([folder, alias, folder, folder].map(lockFolder));
  const [held, ...more] = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(more).toEqual([]);
  expect(all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))).toMatchObject([refused, refused, refused]);
  renameSync(folder, `${folder}.old-1`);
  mkdirSync(folder);
  await expect(lockFolder(folder)).rejects.toMatchObject(refused);
  // The one that was set aside is nobody's.
  (await lockFolder(`${folder}.old-1`))[Symbol.dispose]();
  held![Symbol.dispose]();
  (await lockFolder(alias))[Symbol.dispose]();
});
