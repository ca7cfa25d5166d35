// Where a command writes what was asked for: a file whole or not at all. What is no file (a device, a pipe, a link) is written to
// and never replaced: who says `--output /dev/null` wants it to be there afterwards.
import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import { makeFolder } from '../bundle/make-folder.ts';

/** Of what stands there: a device, a pipe, a link. */
export const isSpecial = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
};

/** Under a name of its own until it is whole: two that write to one place at once must not write into one another. */
const replace = async (path: string, text: string): Promise<void> => {
  const own = `${path}.${randomBytes(4).toString('hex')}.partial`;
  await writeAtomically(own, text);
  try {
    await rename(own, path);
  } catch (error) {
    await rm(own, { force: true });
    throw error;
  }
};

/** With the folders above it. @throws Error of the system where it cannot be written */
export const writeOutput = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path));
  await ((await isSpecial(path)) ? writeFile(path, text) : replace(path, text));
};
