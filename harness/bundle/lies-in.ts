// Whether a path leads into a bundle, however it is spelled: what is written there would break its seal.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** The path as it really is, links followed, as far as it exists. */
const realPath = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return path === dirname(path) ? path : join(await realPath(dirname(path)), basename(path));
  }
};

/** @param path and `folder`: absolute; the folder itself lies in it too */
export const liesIn = async (path: string, folder: string): Promise<boolean> => {
  const [real, root] = [await realPath(path), await realPath(folder)];
  return real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
};
