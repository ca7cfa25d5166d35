// What lies beside a card and is named by it (`${card}/proxy.mjs`), as hashes: evidence does not hold these files, but whoever
// runs it again or compares it must be told that the program is another one.
import { readdir, stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { hashOfFile } from '../bundle/seal.ts';
import { textsOf } from '../systems/axes/card-at.ts';
import type { Card } from '../systems/card.ts';

/** Of each, and of how many: a card's neighbours are small programs, and no run waits for more. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const MAXIMUM_FILES = 100;
/** Made by whatever runs the files, and other each time. */
const MADE = /^(?:node_modules|__pycache__|\..*)$/;

/** By path from the card's folder: SHA-256; null: too large or too many to be read. */
export type CardFiles = Readonly<Record<string, string | null>>;

const namedBy = (card: Card): readonly string[] => {
  // The folder alone is meant where nothing follows: an argument like `--app-dir`.
  const found = [...textsOf(card).matchAll(/\$\{card\}((?:\/[^\s"'`\\:;,$]*)?)/g)].map(([, path]) => posix.normalize(`.${path}`));
  return [...new Set(found)].sort();
};

/** A file itself, or the files of a folder; what is not there is not listed. */
const filesAt = async (folder: string, path: string): Promise<readonly string[]> => {
  const found = await stat(join(folder, path)).catch(() => null);
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  const entries = await readdir(join(folder, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !MADE.test(entry.name)).map(({ name }) => posix.join(path, name));
};

/** What cannot be read is not listed: that a system lacks it is for the system to say. */
export const readCardFiles = async (card: Card): Promise<CardFiles> => {
  const found = (await Promise.all(namedBy(card).map((path) => filesAt(card.folder, path)))).flat();
  const paths = [...new Set(found)].filter((path) => path !== basename(card.file)).sort();
  const one = async (path: string, index: number): Promise<readonly (readonly [string, string | null])[]> => {
    const file = join(card.folder, path);
    const { size } = await stat(file).catch(() => ({ size: Number.POSITIVE_INFINITY }));
    if (index >= MAXIMUM_FILES || size > MAXIMUM_BYTES) return [[path, null]];
    const hash = await hashOfFile(file).catch(() => null);
    return hash === null ? [] : [[path, hash]];
  };
  return Object.fromEntries((await Promise.all(paths.map(one))).flat());
};

const short = (hash: string | null | undefined): string => (hash === undefined ? 'not there' : hash === null ? 'not hashed' : hash.slice(0, 12));

/** One line for each that is not as it was, or of which nobody can tell. */
export const cardFileDifferences = (was: CardFiles | undefined, is: CardFiles): readonly string[] => {
  const paths = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is)])].sort();
  if (was === undefined)
    return paths.length === 0 ? [] : [`files beside the card are not recorded in the evidence: whether they are the same cannot be told: ${paths.join(', ')}`];
  return paths.flatMap((path) => {
    if (was[path] === null && is[path] === null) return [`file beside the card ${path}: too large to be told whether it is the same`];
    return was[path] === is[path] ? [] : [`file beside the card ${path}: was ${short(was[path])}, is ${short(is[path])}`];
  });
};
