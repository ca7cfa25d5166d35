// What a path on the command line stands for where a command shows bundles: one bundle, its archive, or a folder of bundles.
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { bundleFolderOf } from '../bundle/archive-read.ts';
import { bundlesIn, isBundle } from '../bundle/bundles-in.ts';
import { problem } from '../model/problem.ts';
import type { Scope } from '../model/scope.ts';

export type FoundBundle = {
  /** Of its folder or archive, without an ending. */
  readonly name: string;
  /** The folder or archive that it stands for. */
  readonly path: string;
  /** Where it can be read. */
  readonly folder: string;
  /** In which it lies as the user knows it: pages may be written there, beside it. */
  readonly home: string;
  /** It lies in a folder that was asked for, and was not itself named. */
  readonly isListed: boolean;
  /** It was unpacked, and what is in `folder` goes with the scope. */
  readonly isArchive: boolean;
};

/** @throws ProblemError what `bundleFolderOf` throws */
export const findOne = async (path: string, cwd: string, scope: Scope): Promise<FoundBundle> => {
  const full = resolve(cwd, path);
  const folder = await bundleFolderOf(full, scope);
  const isArchive = folder !== full;
  return { name: isArchive ? basename(full).replace(/\.zip$/i, '') : basename(full), path: full, folder, home: dirname(full), isListed: false, isArchive };
};

/**
 * Every bundle that the paths stand for. A path that is no bundle is given back as one: `readBundle` says what is wrong with it.
 * @throws ProblemError what `bundleFolderOf` throws
 */
export const findBundles = async (paths: readonly string[], cwd: string, scope: Scope): Promise<readonly FoundBundle[]> => {
  const found: FoundBundle[] = [];
  for (const path of paths) {
    const full = resolve(cwd, path);
    const names = (await isBundle(full)) ? [] : await bundlesIn(full);
    if (names.length > 0) found.push(...names.map((name) => ({ name, path: join(full, name), folder: join(full, name), home: full, isListed: true, isArchive: false })));
    else found.push(await findOne(path, cwd, scope));
  }
  return found;
};

/** The newest run of a folder of evidence. @throws ProblemError `no-evidence` */
export const latestOf = async (cwd: string): Promise<string> => {
  const latest = resolve(cwd, 'evidence', 'latest');
  if (await stat(latest).catch(() => null)) return latest;
  throw problem('scenario', 'no-evidence', 'there is no evidence/latest here', { hint: 'run something first, or name a bundle' });
};
