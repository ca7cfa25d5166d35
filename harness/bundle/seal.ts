// The seal: a SHA-256 of every file of a bundle, written last. It shows whether a bundle is as the run
// left it; it is no signature and says nothing about who made it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { toJsonText, writeAtomically } from './atomic.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import type { Seal } from './format.ts';

/** Path in the bundle, with `/` on every system, of all that is not a folder. */
const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== FILES.seal)
    .sort();
};

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Hashes all files and writes seal.json, atomically. */
export const writeSeal = async (folder: string): Promise<Seal> => {
  const files: Record<string, string> = {};
  for (const path of await filesIn(folder)) files[path] = await hashOf(join(folder, path));
  const seal: Seal = { format: FORMAT_VERSION, files };
  await writeAtomically(join(folder, FILES.seal), toJsonText(seal), true);
  return seal;
};

/** @returns null where there is none. @throws SyntaxError when it is not JSON */
export const readSeal = async (folder: string): Promise<Seal | null> => {
  try {
    return JSON.parse(await readFile(join(folder, FILES.seal), 'utf8')) as Seal;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** One line for each file that is not as it was sealed; paths come from the folder, never from the seal. */
export const breaksOf = async (folder: string, seal: Seal): Promise<readonly string[]> => {
  const present = await filesIn(folder);
  const missing = Object.keys(seal.files).filter((path) => !present.includes(path)).map((path) => `${path} is missing`);
  const others: string[] = [];
  for (const path of present) {
    const expected = Object.hasOwn(seal.files, path) ? seal.files[path] : undefined;
    if (expected === undefined) others.push(`${path} was added`);
    else if (expected !== (await hashOf(join(folder, path)))) others.push(`${path} was changed`);
  }
  return [...missing, ...others];
};
