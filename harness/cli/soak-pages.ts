// Pages of earlier nights take room too, some MiB each, and nobody reads those of last spring: the oldest go before they leave none for a new
// night. The history is never removed; it has what later nights compare with.
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SoakRemoved } from '../model/soak.ts';
import { bytesBelow, ownBytes } from '../plan/soak/disk.ts';
import { nightsIn } from '../plan/soak/so-far.ts';
import { NIGHT_FILE } from './soak-nights.ts';

export const MARKDOWN_FILE = 'soak.md';
export const PAGE_FILE = 'soak.html';

/** Of --keep-disk. */
const PAGES_SHARE = 0.1;
/** So many nights keep theirs in any case, the newest. */
const SPARED_NIGHTS = 10;

/** One that was killed has left half a page. */
const FILES = [NIGHT_FILE, MARKDOWN_FILE, PAGE_FILE].flatMap((name) => [name, `${name}.partial`]);

const sumOf = async (paths: readonly string[], bytesOf: (path: string) => Promise<number>): Promise<number> => {
  let sum = 0;
  for (const path of paths) sum += await bytesOf(path);
  return sum;
};

/** Folders that lie below the folder of a night whatever is in them. */
const foldersOf = async (night: string): Promise<readonly string[]> => {
  const runs = join(night, 'runs');
  const groups = await readdir(runs).catch(() => []);
  return [...groups.map((group) => join(runs, group)), runs, night];
};

/** Pages, and folders that nothing else is in: whatever else lies there is not ours to remove. @returns bytes that are free now */
const removePages = async (night: string): Promise<number> => {
  const files = FILES.map((name) => join(night, name));
  let freed = await sumOf(files, bytesBelow);
  for (const file of files) await rm(file, { force: true }).catch(() => {});
  freed -= await sumOf(files, bytesBelow);
  for (const folder of await foldersOf(night)) {
    const bytes = await ownBytes(folder);
    if (await rmdir(folder).then(() => true, () => false)) freed += bytes;
  }
  return freed;
};

type Night = { readonly folder: string; readonly hasBundles: boolean; readonly bytes: number };

const nightOf = async (folder: string): Promise<Night> => {
  const groups = (await foldersOf(folder)).slice(0, -2);
  const bundles = await sumOf(groups, async (group) => (await readdir(group).catch(() => [])).length);
  return { folder, hasBundles: bundles > 0, bytes: (await ownBytes(folder)) + (await sumOf(FILES.map((name) => join(folder, name)), bytesBelow)) };
};

/**
 * Where pages of earlier nights take more than a tenth of what may be taken, the oldest nights lose theirs; those first whose bundles are
 * gone anyway.
 * @param root of all nights; the one that begins is not there yet. @returns null: none were removed
 */
export const thinPages = async (root: string, limitBytes: number): Promise<SoakRemoved | null> => {
  const nights: Night[] = [];
  for (const name of await nightsIn(root)) nights.push(await nightOf(join(root, name)));
  let taken = nights.reduce((sum, { bytes }) => sum + bytes, 0);
  let [count, bytes] = [0, 0];
  for (const { folder } of nights.slice(0, -SPARED_NIGHTS).toSorted((a, b) => Number(a.hasBundles) - Number(b.hasBundles))) {
    if (taken <= limitBytes * PAGES_SHARE) break;
    const freed = await removePages(folder);
    if (freed > 0) count += 1;
    bytes += freed;
    taken -= freed;
  }
  return count === 0 ? null : { what: 'pages', count, bytes };
};
