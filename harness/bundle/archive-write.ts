// The archive of a bundle, to be attached to an issue: a zip, which every forge takes and every system opens. The same files
// give the same bytes: sorted, and without the times and permissions of this machine.
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, problem } from '../model/problem.ts';

/** A time of no meaning. A zip has local time: so it is the same in every zone (and not the earliest, which yazl has of the zone it began in). */
const noTime = (): Date => new Date(1980, 1, 1);
const MODE = 0o100644;

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();

/**
 * Writes the files of a folder into a zip at `path`, all below the folder `root` in it; what stood there is replaced.
 * @returns its size in bytes
 * @throws ProblemError `archive-not-written`
 */
export const writeArchive = async (folder: string, root: string, path: string): Promise<number> => {
  const { ZipFile } = await import('yazl');
  const temporary = `${path}.partial`;
  try {
    const zip = new ZipFile();
    const failed = new Promise<never>((_, reject) => zip.on('error', reject));
    for (const name of await filesIn(folder)) {
      zip.addFile(join(folder, name), `${root}/${name}`, { mtime: noTime(), mode: MODE, forceDosTimestamp: true, compressionLevel: 9 });
    }
    zip.end();
    await Promise.race([pipeline(zip.outputStream, createWriteStream(temporary)), failed]);
    const { size } = await stat(temporary);
    await rename(temporary, path);
    return size;
  } catch (cause) {
    await rm(temporary, { force: true });
    throw problem('environment', 'archive-not-written', `${path} cannot be written: ${messageOf(cause)}`, {
      hint: 'name another file with --archive, or leave it out with --no-archive',
      cause,
    });
  }
};
