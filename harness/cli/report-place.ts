// Where the pages of a folder of bundles go where nobody says: into it, but not over what a run has left there. Its index and its files
// for programs know what was not run and with which code it ended, which no bundle does.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonText, writeAtomically } from '../bundle/atomic.ts';
import { isRecord } from '../bundle/kinds.ts';

/** By file: the SHA-256 of what `hangup report` has written there, and may write over. */
const MADE = '.hangup-report.json';

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const madeIn = async (folder: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    const made: unknown = JSON.parse(await readFile(join(folder, MADE), 'utf8'));
    return isRecord(made) ? made : {};
  } catch {
    return {};
  }
};

/** Null: nothing is there; what cannot be read is not ours either. */
const foundIn = (folder: string, file: string): Promise<string | null> =>
  readFile(join(folder, file)).then(hashOf, (error: unknown) => ((error as NodeJS.ErrnoException).code === 'ENOENT' ? null : ''));

/** Whether none of these files is there but as `hangup report` has left it. */
export const isFree = async (folder: string, files: readonly string[]): Promise<boolean> => {
  const made = await madeIn(folder);
  for (const file of files) {
    const found = await foundIn(folder, file);
    if (found !== null && found !== made[file]) return false;
  }
  return true;
};

/** So that the next time writes over these. */
export const noteMade = async (folder: string, files: readonly string[]): Promise<void> => {
  const now = await Promise.all(files.map(async (file) => [file, await foundIn(folder, file)] as const));
  await writeAtomically(join(folder, MADE), toJsonText({ ...(await madeIn(folder)), ...Object.fromEntries(now) }));
};
