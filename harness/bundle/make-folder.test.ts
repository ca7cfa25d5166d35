// Folders are made with all above them, and what cannot be made is said instead of being tried for ever.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from './fixture.ts';
import { makeFolder } from './make-folder.ts';

it('makes it with all above it, also twice and at the same time', async () => {
  const path = join(temporaryFolder(), 'a', 'b', 'c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, 'd'))]);
  await makeFolder(path);
  expect(existsSync(join(path, 'd'))).toBe(true);
});

it.each([
  ['below a file', 'file/x/y', 'EEXIST'],
  ['at a file', 'file', 'EEXIST'],
])('is refused %s', async (_, path, code) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, path))).rejects.toMatchObject({ code });
});

it('is refused where the kernel makes none, at once', async () => {
  await expect(makeFolder('/proc/hangup/x')).rejects.toMatchObject({ code: 'ENOENT' });
});
