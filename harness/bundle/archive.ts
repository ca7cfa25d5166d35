// The archive that is attached to an issue: the whole bundle where it is small enough, else a reduced one that says so.
import { randomBytes } from 'node:crypto';
import { cp, lstat, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import { writeArchive } from './archive-write.ts';
import { FILES } from './format.ts';
import { keepBundles } from './lies-in.ts';
import { leavePackets, packetsIn, REDUCE_STEPS } from './reduce.ts';
import { keepSeal, writeReduced } from './reduced.ts';
import type { LeftOut, Reduced } from './reduced.ts';
import { makeScratchFolder } from './scratch-folder.ts';

export type ArchiveInput = {
  /** The bundle's. */
  readonly folder: string;
  /** Name of the folder in the archive. */
  readonly root: string;
  /** Where it is written. */
  readonly path: string;
  readonly limitBytes: number;
  /** Observations that some verdict refers to. */
  readonly refs: ReadonlySet<string>;
  /** Whether to write over what stands there. */
  readonly force: boolean;
  /** Whether captured packets go in, with every key that went over the wire. */
  readonly withPackets?: boolean;
};

export type Archive = { readonly path: string; readonly bytes: number; readonly reduced: Reduced | null };

const check = async ({ path, force }: ArchiveInput): Promise<void> => {
  await keepBundles(path, 'name a file beside it by --archive');
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) throw problem('scenario', 'bad-option', `${path} is a folder`, { hint: 'name a file by --archive' });
  // Writing over it would put the archive in the place of a device or a link, and leave what it led to as it was.
  if (found && !found.isFile()) throw problem('scenario', 'bad-option', `${path} is no plain file`, { hint: 'name a file by --archive' });
  if (found && !force)
    throw problem('environment', 'archive-exists', `${path} exists already`, {
      hint: 'write over it by --force, name another by --archive, or write none by --no-archive',
    });
};

const reducedBefore = async (folder: string): Promise<Reduced | null> => {
  const text = await readFile(join(folder, FILES.reduced), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Reduced);
};

const tooLarge = (limitBytes: number): Error =>
  problem('environment', 'archive-too-large', `no archive of this bundle is below ${limitBytes} bytes, whatever is left out`, {
    hint: 'allow more by --limit, or write none by --no-archive',
  });

/** Until it is known to be small enough; two that write to one place at once must not write into one another. */
const ownName = (path: string): string => `${path}.${randomBytes(4).toString('hex')}`;

/** Smaller and smaller copies, until one fits. @throws ProblemError `archive-too-large` */
const writeSmaller = async (input: ArchiveInput): Promise<Archive> => {
  const { folder, root, path, limitBytes, refs, withPackets } = input;
  const temporary = await makeScratchFolder('hangup-reduced-');
  const copy = join(temporary, 'bundle');
  const trial = ownName(path);
  try {
    await cp(folder, copy, { recursive: true });
    const before = await reducedBefore(copy);
    await keepSeal(copy);
    const left: LeftOut[] = [];
    for (const step of withPackets ? REDUCE_STEPS : [leavePackets, ...REDUCE_STEPS]) {
      const more = await step(copy, refs);
      if (more.length === 0) continue;
      left.push(...more);
      await rm(join(copy, FILES.seal), { force: true });
      const reduced = await writeReduced(copy, left, before);
      const bytes = await writeArchive(copy, root, trial);
      if (bytes > limitBytes) continue;
      await rename(trial, path);
      return { path, bytes, reduced };
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await rm(trial, { force: true });
  }
  throw tooLarge(limitBytes);
};

/** @returns null where it is too large */
const writeWhole = async ({ folder, root, path, limitBytes }: ArchiveInput): Promise<Archive | null> => {
  const trial = ownName(path);
  try {
    const bytes = await writeArchive(folder, root, trial);
    if (bytes > limitBytes) return null;
    await rename(trial, path);
    return { path, bytes, reduced: await reducedBefore(folder) };
  } finally {
    await rm(trial, { force: true });
  }
};

/**
 * Writes the archive, at most as large as the limit, and without packets unless they are asked for.
 * @returns what was left out, if anything
 * @throws ProblemError `archive-exists`, `archive-too-large`, `archive-not-written`, `bad-option`
 */
export const archiveBundle = async (input: ArchiveInput): Promise<Archive> => {
  await check(input);
  const mustLeaveOut = !input.withPackets && (await packetsIn(input.folder)).length > 0;
  const whole = mustLeaveOut ? null : await writeWhole(input);
  return whole ?? writeSmaller(input);
};
