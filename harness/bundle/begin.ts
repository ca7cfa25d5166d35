// The folder of a bundle appears at once, with all that makes it one: whoever finds it can read it, however early the
// harness was killed. Until then it has another name.
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { bundleExists } from './write-problem.ts';

/** Begins with a dot: what lists bundles passes it over. */
const partialOf = (folder: string): string => join(dirname(folder), `.${basename(folder)}.partial`);

const isTaken = (error: unknown): boolean => ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));

/**
 * @param files first content by name
 * @throws ProblemError `bundle-exists`; whatever the file system says
 */
export const beginFolder = async (folder: string, folders: readonly string[], files: Readonly<Record<string, string>>): Promise<void> => {
  if (await lstat(folder).catch(() => null)) throw bundleExists(folder);
  await mkdir(dirname(folder), { recursive: true });
  const partial = partialOf(folder);
  await mkdir(partial);
  try {
    for (const name of folders) await mkdir(join(partial, name));
    for (const [name, text] of Object.entries(files)) await writeFile(join(partial, name), text);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw isTaken(error) ? bundleExists(folder, error) : error;
  }
};
