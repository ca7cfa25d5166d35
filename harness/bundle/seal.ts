// The seal: a SHA-256 of every file of a bundle, written last. It shows whether a bundle is as the run
// left it; it is no signature and says nothing about who made it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { toJsonText, writeAtomically } from './atomic.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import type { Seal } from './format.ts';

type Entry = { readonly path: string; readonly isPlain: boolean };

/** All that is no folder, by its path in the bundle, with `/` on every system. Links are not followed. */
const entriesIn = async (folder: string): Promise<readonly Entry[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'), isPlain: entry.isFile() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** What is neither a file nor a folder: a link could show another file than the one that was sealed. */
export const strangersIn = async (folder: string): Promise<readonly string[]> =>
  (await entriesIn(folder)).flatMap(({ path, isPlain }) => (isPlain ? [] : [`${path} is no plain file`]));

/** Most files of a bundle are; a stream costs more than all of one. */
const SMALL_BYTES = 256 * 1024;

/** SHA-256 of a file of any size, in hex. */
export const hashOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  if ((await stat(path)).size <= SMALL_BYTES) return hash.update(await readFile(path)).digest('hex');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Hashes all files and writes seal.json, atomically. */
export const writeSeal = async (folder: string): Promise<Seal> => {
  const files: Record<string, string> = {};
  const entries = await entriesIn(folder);
  for (const { path, isPlain } of entries) if (isPlain && path !== FILES.seal) files[path] = await hashOfFile(join(folder, path));
  const seal: Seal = { format: FORMAT_VERSION, files };
  await writeAtomically(join(folder, FILES.seal), toJsonText(seal), true);
  return seal;
};

const isSeal = (value: unknown): value is Seal => {
  const files = (value as Partial<Seal> | null)?.files;
  return typeof files === 'object' && files !== null && Object.values(files).every((hash) => typeof hash === 'string');
};

/** @returns null where there is none. @throws Error when it is none, or not whole */
export const readSeal = async (folder: string): Promise<Seal | null> => {
  try {
    const seal: unknown = JSON.parse(await readFile(join(folder, FILES.seal), 'utf8'));
    if (isSeal(seal)) return seal;
    throw new Error('it lists no files');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** One line for each file that is not as it was sealed; paths come from the folder, never from the seal. */
export const breaksOf = async (folder: string, seal: Seal): Promise<readonly string[]> => {
  const present = (await entriesIn(folder)).filter(({ path }) => path !== FILES.seal);
  const paths = new Set(present.map(({ path }) => path));
  const missing = Object.keys(seal.files).filter((path) => !paths.has(path)).map((path) => `${path} is missing`);
  const others: string[] = [];
  for (const { path, isPlain } of present) {
    const expected = Object.hasOwn(seal.files, path) ? seal.files[path] : undefined;
    if (!isPlain) others.push(`${path} is no plain file`);
    else if (expected === undefined) others.push(`${path} was added`);
    else if (expected !== (await hashOfFile(join(folder, path)))) others.push(`${path} was changed`);
  }
  return [...missing, ...others];
};
