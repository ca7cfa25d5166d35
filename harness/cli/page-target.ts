// Where pages made from bundles are written: anywhere but in a bundle, since that would break its seal.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { writeAtomically } from '../bundle/atomic.ts';
import { makeFolder } from '../bundle/make-folder.ts';
import { messageOf, problem } from '../model/problem.ts';
import type { Terminal } from './command.ts';

/** Writes a file, with its folders, and says its path on standard output or standard error. */
export type PageTarget = (path: string, text: string) => Promise<void>;

/** The path as it really is, links followed, as far as it exists. */
const realPath = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return path === dirname(path) ? path : join(await realPath(dirname(path)), basename(path));
  }
};

/**
 * @param folders of the bundles that are read
 * @returns rejects with ProblemError `bad-option` for a path in one of them, `output-not-writable`
 */
export const createPageTarget = async (folders: readonly string[], { secrets }: Terminal, say: Terminal['write']): Promise<PageTarget> => {
  const bundles = await Promise.all(folders.map(realPath));
  return async (path, text) => {
    const real = await realPath(path);
    const inside = bundles.find((folder) => real === folder || real.startsWith(`${folder}${sep}`));
    if (inside !== undefined)
      throw problem('scenario', 'bad-option', `${path} lies in the bundle ${inside}, which is never changed`, { hint: 'name a file beside it' });
    try {
      await makeFolder(dirname(path));
      await writeAtomically(path, secrets.shown.text(text));
    } catch (cause) {
      throw problem('environment', 'output-not-writable', `${path} cannot be written: ${messageOf(cause)}`, { cause });
    }
    say(`${path}\n`);
  };
};
