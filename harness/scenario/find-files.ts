// The files that paths on the command line stand for: a file is itself, a folder all *.yaml below it.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nearest } from '../model/nearest.ts';
import { messageOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { scenarioProblem } from './codes.ts';

export type FoundFiles = { readonly files: readonly string[]; readonly problems: readonly Problem[] };

const MAXIMUM_FOLDER_DEPTH = 12;

const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Links are not followed: a link to a parent would never end. */
const walk = async (folder: string, depth: number): Promise<readonly string[]> => {
  if (depth > MAXIMUM_FOLDER_DEPTH) return [];
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isHidden(name));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(path, depth + 1)));
    else if (entry.isFile() && entry.name.endsWith('.yaml')) found.push(path);
  }
  return found;
};

/** What lies beside a path that does not exist and is called alike; also the name with .yaml. */
export const hintFor = async (absolutePath: string, given: string): Promise<string> => {
  const beside = await readdir(dirname(absolutePath)).catch(() => null);
  if (beside === null) return `the folder ${dirname(given)} does not exist either`;
  const name = basename(absolutePath);
  const close = beside.includes(`${name}.yaml`)
    ? `${name}.yaml`
    : nearest(
        name,
        beside.filter((entry) => !isHidden(entry)),
      );
  return close === undefined ? 'name a YAML file or a folder of them' : `did you mean \`${join(dirname(given), close)}\`?`;
};

/** @returns absolute paths, each once, in the order given and sorted within folders */
export const findFiles = async (paths: readonly string[]): Promise<FoundFiles> => {
  const files = new Set<string>();
  const problems: Problem[] = [];
  for (const given of paths) {
    const path = resolve(given);
    try {
      const found = (await stat(path)).isDirectory() ? await walk(path, 0) : [path];
      for (const file of found) files.add(file);
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      problems.push(
        missing
          ? scenarioProblem('path-not-found', `${given} does not exist`, undefined, await hintFor(path, given))
          : scenarioProblem('file-unreadable', `${given} cannot be read: ${messageOf(error)}`, undefined, 'check its permissions', error),
      );
    }
  }
  return { files: [...files], problems };
};
