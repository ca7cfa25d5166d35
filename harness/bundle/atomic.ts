// Whole files appear at once or not at all, whenever the harness is killed.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

type Content = string | AsyncIterable<Buffer>;

/**
 * Replaces the file's content. On failure the old content is still there, and nothing else is left.
 * @param content may still be read from the old file while it is written
 * @param survives also when the machine stops: synced to the disk, which costs; for what is sealed
 */
export const replaceAtomically = async (path: string, content: Content, survives = false): Promise<void> => {
  const temporary = `${path}.partial`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(content);
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

export const writeAtomically: (path: string, text: string, survives?: boolean) => Promise<void> = replaceAtomically;

/** JSON as all files of a bundle have it: two spaces, a line end. Judging again compares bytes. */
export const toJsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
