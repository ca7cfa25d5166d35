// What an archive leaves out of a bundle to be small enough, written down inside it. Such a bundle has a seal of its own, and
// keeps the one of the whole bundle beside it, by which each file that is as it was can be told.
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '../model/render-problem.ts';
import { toJsonText, writeAtomically } from './atomic.ts';
import { FILES, FORMAT_VERSION } from './format.ts';
import { writeSeal } from './seal.ts';

export type LeftOut = {
  /** Path in the bundle. */
  readonly path: string;
  /** In words, e.g. `the middle of the log`. */
  readonly what: string;
  /** How much less it is. */
  readonly bytes: number;
};

/** reduced.json. */
export type Reduced = {
  readonly format: number;
  /** SHA-256 of the whole bundle's seal.json; null where it was not sealed. */
  readonly of: string | null;
  /** All that judges see is there: judging it again says what judging the whole bundle says. */
  readonly canBeJudged: boolean;
  readonly left: readonly LeftOut[];
};

/** What judges see. */
const JUDGED: readonly string[] = [FILES.timeline, FILES.control, FILES.resolved];

const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Keeps the seal of a whole bundle under another name; of one that was reduced before it is kept already. */
export const keepSeal = async (folder: string): Promise<void> => {
  const seal = await readIfThere(join(folder, FILES.seal));
  if (seal === null) return;
  if ((await readIfThere(join(folder, FILES.wholeSeal))) === null) await writeAtomically(join(folder, FILES.wholeSeal), seal);
  await rm(join(folder, FILES.seal));
};

/** Writes reduced.json, adding to one that is there, and seals the folder where the whole bundle was sealed. */
export const writeReduced = async (folder: string, left: readonly LeftOut[], before: Reduced | null): Promise<Reduced> => {
  const all = [...(before?.left ?? []), ...left];
  const seal = await readIfThere(join(folder, FILES.wholeSeal));
  const reduced: Reduced = {
    format: FORMAT_VERSION,
    of: seal === null ? null : createHash('sha256').update(seal).digest('hex'),
    canBeJudged: !all.some(({ path }) => JUDGED.includes(path)),
    left: all,
  };
  await writeAtomically(join(folder, FILES.reduced), toJsonText(reduced));
  if (seal !== null) await writeSeal(folder);
  return reduced;
};

/** Whoever made the archive wrote this: one line, whatever is in it. */
export const leftWords = ({ path, what }: LeftOut): string => printable(`${path}: ${what}`);

/** One line for a reader of such a bundle. */
export const reducedNote = ({ left, canBeJudged }: Reduced): string =>
  `the bundle was reduced to fit into an archive (left out: ${left.map(leftWords).join('; ')}); ` +
  (canBeJudged ? 'all that is judged is there' : 'observations are missing, so its stored verdicts cannot be checked by it');
