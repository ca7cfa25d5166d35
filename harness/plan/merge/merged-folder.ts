// The folder of a merge: filled under another name beside its own, which it is given when it is whole. What was refused leaves nothing.
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../bundle/make-folder.ts';
import { messageOf, problem } from '../../model/problem.ts';
import { DURATIONS_FILE, NO_DURATIONS, readDurations, withDurations, writeDurations } from '../durations.ts';
import type { FoundShard } from './find-shards.ts';

export type MergedFolder = {
  /** Under which it is filled. */
  readonly partial: string;
  /** Of a bundle in it. The same for the same bundle. */
  readonly placeOf: (shard: FoundShard, folder: string) => { readonly path: string; readonly name: string };
  /** Gives it its own name. */
  readonly finish: () => void;
  /** Idempotent; does nothing when it has its own name. */
  readonly discard: () => void;
};

const isEmpty = (folder: string): boolean => {
  try {
    return lstatSync(folder).isDirectory() && readdirSync(folder).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

const unwritable = (folder: string, cause: unknown): Error =>
  problem('environment', 'output-not-writable', `${folder} cannot be made: ${messageOf(cause)}`, { hint: 'give another folder with --output', cause });

/** @throws ProblemError `output-not-empty`, `output-not-writable` */
export const openMergedFolder = async (folder: string): Promise<MergedFolder> => {
  if (!isEmpty(folder))
    throw problem('scenario', 'output-not-empty', `${folder} is there already, and is not empty`, { hint: 'a merge is never mixed with anything; give another folder with --output' });
  const partial = join(dirname(folder), `.${basename(folder)}.${process.pid}.partial`);
  try {
    await makeFolder(dirname(folder));
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
  } catch (cause) {
    throw unwritable(folder, cause);
  }
  const taken = new Map<string, FoundShard>();
  let isOpen = true;
  // Controls of two shards have one name where they were made from the same.
  const nameOf = (shard: FoundShard, name: string): string => {
    const owner = taken.get(name);
    if (owner === undefined) taken.set(name, shard);
    return owner === undefined || owner === shard ? name : `${name}-shard-${shard.shard.index}`;
  };
  return {
    partial,
    placeOf: (shard, bundle) => {
      const name = nameOf(shard, bundle);
      return { path: join(partial, name), name };
    },
    finish: () => {
      try {
        renameSync(partial, folder);
        isOpen = false;
      } catch (cause) {
        throw unwritable(folder, cause);
      }
    },
    discard: () => {
      if (isOpen) rmSync(partial, { recursive: true, force: true });
    },
  };
};

/** Those of all shards as one file, for whoever shares the work out the next time. What cannot be read is left out. */
export const mergeDurations = async (shards: readonly FoundShard[], into: string): Promise<void> => {
  let all = NO_DURATIONS;
  for (const { folder } of shards) all = withDurations(all, (await readDurations(join(folder, DURATIONS_FILE)).catch(() => null)) ?? NO_DURATIONS);
  await writeDurations(join(into, DURATIONS_FILE), all);
};
