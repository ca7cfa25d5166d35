// The files that a scenario uses, and that those use: where each may lie, and what is in it. All
// reading is done here, so that putting them together (use.ts) is a function of trees.
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../model/problem.ts';
import type { ScenarioCode } from './codes.ts';
import { hintFor } from './find-files.ts';
import { displayPath } from './identity.ts';
import { loadTree } from './load.ts';
import type { LoadedTree } from './load.ts';
import { entryOf } from './tree.ts';
import type { TreeNode } from './tree.ts';

/** `path` is absolute and without links: two names of one file are one file. */
export type FragmentFile =
  | { readonly path: string; readonly tree: LoadedTree }
  | { readonly refused: { readonly code: ScenarioCode; readonly message: string; readonly hint: string } };

export type Fragments = {
  /** What a file means by a path that it uses; undefined where nobody could look. */
  readonly get: (from: string, written: string) => FragmentFile | undefined;
};

/** More than any scenario needs; a mistake would otherwise read for ever. */
export const MAXIMUM_FRAGMENTS = 100;

/** Nothing is at hand: a text has no folder. */
export const NO_FRAGMENTS: Fragments = { get: () => undefined };

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const refuse = (code: ScenarioCode, message: string, hint: string): FragmentFile => ({ refused: { code, message, hint } });

const WHERE = "fragments lie below the scenario's own folder, for example in shared/";

type Place = { readonly folder: string; readonly realFolder: string };

const fetch = async ({ folder, realFolder }: Place, from: string, written: string): Promise<FragmentFile> => {
  if (written.includes('${')) return refuse('bad-use', 'the path of a fragment holds no reference', 'write it out');
  if (isAbsolute(written)) return refuse('bad-use', 'the path of a fragment is not absolute', WHERE);
  if (!written.endsWith('.yaml')) return refuse('bad-use', 'a fragment is a file that ends with .yaml', 'name it so');
  const asked = resolve(dirname(from), written);
  if (!isBelow(folder, asked) && !isBelow(realFolder, asked)) return refuse('bad-use', "that lies outside the scenario's folder", WHERE);
  try {
    const path = await realpath(asked);
    if (!isBelow(realFolder, path)) return refuse('bad-use', "that is a link to outside of the scenario's folder", WHERE);
    return { path, tree: await loadTree(path, displayPath(asked)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return refuse('path-not-found', `${written} does not exist`, await hintFor(asked, written));
    return refuse('file-unreadable', `${written} cannot be read: ${messageOf(error)}`, 'check its permissions');
  }
};

/** The paths that a file uses, as it writes them; what is no path is told by use.ts. */
const pathsOf = (root: TreeNode): readonly string[] => {
  const list = entryOf(root, 'use')?.value;
  if (list?.type !== 'list') return [];
  return list.items.flatMap((item) => {
    if (item.type === 'map') return item.entries.map(({ key }) => key);
    return item.type === 'scalar' && typeof item.value === 'string' ? [item.value] : [];
  });
};

/** Reads all that a scenario uses, each file once. @param file absolute path of the scenario */
export const collectFragments = async (file: string, root: TreeNode): Promise<Fragments> => {
  if (entryOf(root, 'use') === undefined) return NO_FRAGMENTS;
  const place: Place = { folder: dirname(file), realFolder: await realpath(dirname(file)) };
  const found = new Map<string, FragmentFile>();
  const keyOf = (from: string, written: string): string => `${from}\n${written}`;
  const waiting: { readonly from: string; readonly root: TreeNode }[] = [{ from: file, root }];
  const read = new Set<string>();
  for (let next = waiting.pop(); next !== undefined && found.size < MAXIMUM_FRAGMENTS; next = waiting.pop()) {
    for (const written of pathsOf(next.root)) {
      const fragment = await fetch(place, next.from, written);
      found.set(keyOf(next.from, written), fragment);
      if (!('tree' in fragment) || fragment.tree.root === null || read.has(fragment.path)) continue;
      read.add(fragment.path);
      waiting.push({ from: fragment.path, root: fragment.tree.root });
    }
  }
  return { get: (from, written) => found.get(keyOf(from, written)) };
};
