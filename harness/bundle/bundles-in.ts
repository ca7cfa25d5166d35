// Which bundles lie in a folder: for commands that take all of them, and for telling whoever named one that is not there.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { FILES } from './format.ts';

export const isBundle = async (folder: string): Promise<boolean> => (await stat(join(folder, FILES.manifest)).catch(() => null)) !== null;

/** By name; none where it is no folder. What begins with a dot was only begun. */
export const bundlesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name).sort();
  const found: string[] = [];
  for (const name of names) if (await isBundle(join(folder, name))) found.push(name);
  return found;
};

/** Of a path at which there is no bundle: what lies in it or beside it. */
export const noBundleAt = async (path: string, isThere: boolean): Promise<Error> => {
  const beside = await bundlesIn(isThere ? path : dirname(path));
  const hint = beside.length === 0 ? {} : { hint: isThere ? didYouMean('', beside, 'it holds') : didYouMean(basename(path), beside, 'beside it are') };
  return problem('scenario', 'not-a-bundle', isThere ? `${path} is no bundle, but a folder of them` : `there is no ${path}`, hint);
};
