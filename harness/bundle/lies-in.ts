// Whether a path leads into a bundle, however it is spelled: what is written there would break its seal.
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { problem } from '../model/problem.ts';
import { FILES } from './format.ts';

/** As far as the kernel follows. */
const MOST_LINKS = 40;

/** The path as it really is, links followed, as far as it exists: a link to what is not there yet leads to where that would be made. */
export const realPath = async (path: string, links = MOST_LINKS): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    if (path === dirname(path)) return path;
    const folder = await realPath(dirname(path), links);
    const target = links === 0 ? null : await readlink(path).catch(() => null);
    return target === null ? join(folder, basename(path)) : realPath(resolve(folder, target), links - 1);
  }
};

/** @param path and `folder`: absolute; the folder itself lies in it too */
export const liesIn = async (path: string, folder: string): Promise<boolean> => {
  const [real, root] = [await realPath(path), await realPath(folder)];
  return real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
};

/** The path itself and all folders above it, the nearest first. */
export const withFoldersAbove = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === path ? [path] : [path, ...withFoldersAbove(above)];
};

const holds = async (folder: string, file: string): Promise<boolean> => (await stat(join(folder, file)).catch(() => null)) !== null;

/** Other programs have a manifest.json too. */
const isOne = async (folder: string): Promise<boolean> => (await holds(folder, FILES.manifest)) && (await holds(folder, FILES.timeline));

/** The bundle that the path is, or leads into, whoever reads it or not. @param path absolute */
export const bundleAround = async (path: string): Promise<string | null> => {
  for (const folder of withFoldersAbove(await realPath(path))) if (await isOne(folder)) return folder;
  return null;
};

export const inBundle = (path: string, bundle: string, hint: string): Error =>
  problem('scenario', 'bad-option', `${path} lies in the bundle ${bundle}, which is never changed`, { hint });

/** @param hint which other place to name, and how. @throws ProblemError `bad-option` where it would be written into a bundle */
export const keepBundles = async (path: string, hint: string): Promise<void> => {
  const bundle = await bundleAround(path);
  if (bundle !== null) throw inBundle(path, bundle, hint);
};
