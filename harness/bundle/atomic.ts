// Whole files appear at once or not at all, whenever the harness is killed.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces the file's content. On failure the old content is still there, and nothing else is left.
 * @param survives also when the machine stops: synced to the disk, which costs; for what is sealed
 */
export const writeAtomically = async (path: string, text: string, survives = false): Promise<void> => {
  const temporary = `${path}.partial`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      if (survives) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (!survives) return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** JSON as all files of a bundle have it: two spaces, a line end. Judging again compares bytes. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
