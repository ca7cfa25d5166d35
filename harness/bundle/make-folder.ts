// A folder with all above it. Node's own (`recursive`) tries for ever where the kernel says of a folder that is there that it is not,
// as below /proc.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isDirectory() ?? false;

/** Does nothing where it is there. @throws Error of the system where it cannot be made */
export const makeFolder = async (path: string): Promise<void> => {
  const parent = dirname(path);
  if (await isFolder(path)) return;
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  }
};
