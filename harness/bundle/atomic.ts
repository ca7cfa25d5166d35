// Whole files appear at once or not at all, also when the machine stops in between.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file's content. On failure the old content is still there, and nothing else is left. */
export const writeAtomically = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.partial`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** JSON as all files of a bundle have it: two spaces, a line end. Judging again compares bytes. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
