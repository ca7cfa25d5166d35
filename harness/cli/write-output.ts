// Where a command writes what was asked for: a file whole or not at all. What is no file (a device, a pipe, a link) is written to
// and never replaced: who says `--output /dev/null` wants it to be there afterwards.
import { lstat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import { makeFolder } from '../bundle/make-folder.ts';

/** Of what stands there: a device, a pipe, a link. */
export const isSpecial = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
};

/** With the folders above it. @throws Error of the system where it cannot be written */
export const writeOutput = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path));
  await ((await isSpecial(path)) ? writeFile(path, text) : writeAtomically(path, text));
};
