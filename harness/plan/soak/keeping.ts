// Where the bundles of a night lie, and that they never take more room than they may: each group of runs has a folder of its own while it
// is under way, what is not kept is removed as soon as it has been read, and what is under way is measured.
import { readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { bytesBelow, ownBytes } from './disk.ts';
import type { Worth } from '../../model/soak.ts';
import type { Disk } from './disk.ts';

export type Keeping = {
  /** A folder for a group of so many runs. Null: there is no room for them, whatever is removed of what may be. */
  readonly begin: (runs: number) => Promise<string | null>;
  readonly keep: (folder: string, worth: Worth) => Promise<void>;
  /** The group has ended: what is neither kept nor a bundle of it goes. */
  readonly end: (folder: string) => Promise<void>;
  /** @param onNoRoom told where what is under way would take more than there is */
  readonly watch: (onNoRoom: (folder: string) => void) => { readonly stop: () => void };
  readonly largestAtOnce: () => number;
};

const MEBIBYTE = 1024 * 1024;
/** Of a run of which nothing is known yet: some seconds of a stream, its report and its control. */
const FIRST_GUESS_BYTES = 12 * MEBIBYTE;
/** Some runs are larger than all before. */
const ALLOWANCE = 1.25;
/** For the pages of the night, before anybody knows how long they will be. */
const PAGES_BYTES = 3 * MEBIBYTE;
const LOOK_EVERY_MS = 1_000;
/** In the folder of the night, with a folder for each group. */
const RUNS = 'runs';
/** Of the room: violations within it make no room for another run. Older ones beyond it do, or a night that fails often would end early. */
const SPARED_SHARE = 0.5;

/** Of the folder of a night: what is neither a bundle nor the folder of a group. */
export const bytesBesideRuns = async (night: string): Promise<number> => {
  const names = (await readdir(night).catch(() => [])).filter((name) => name !== RUNS);
  let bytes = (await ownBytes(night)) + (await ownBytes(join(night, RUNS)));
  for (const name of names) bytes += await bytesBelow(join(night, name));
  return bytes;
};

export const createKeeping = (root: string, disk: Disk): Keeping => {
  const underWay = new Map<string, { readonly reserved: number; bytes: number }>();
  let number = 0;
  let order = Date.now();
  let largest = 0;
  let besideBytes = 0;
  /** What lies beside the runs is written anew before the old goes. */
  const forPages = (): number => PAGES_BYTES + 2 * besideBytes;
  const reserved = (): number => [...underWay.values()].reduce((sum, each) => sum + Math.max(each.reserved, each.bytes), forPages());
  const note = (): void => {
    largest = Math.max(largest, disk.keptBytes() + [...underWay.values()].reduce((sum, { bytes }) => sum + bytes, besideBytes));
  };
  const measure = async (): Promise<void> => {
    besideBytes = await bytesBesideRuns(root);
    for (const [folder, each] of underWay) {
      const names = await readdir(folder).catch(() => []);
      let bytes = await ownBytes(folder);
      for (const name of names) if (!disk.has(join(folder, name))) bytes += await bytesBelow(join(folder, name));
      each.bytes = bytes;
    }
    note();
  };
  return {
    largestAtOnce: () => largest,
    begin: async (runs) => {
      besideBytes = await bytesBesideRuns(root);
      const guess = Math.ceil((disk.largestBytes() || FIRST_GUESS_BYTES) * ALLOWANCE * (runs + 1));
      // Where little may be kept at all, what is under way is watched instead.
      const wanted = Math.min(guess, Math.floor(disk.roomBytes() / 4));
      if (!(await disk.makeRoom(reserved() + wanted, disk.roomBytes() * SPARED_SHARE))) return null;
      number += 1;
      const folder = join(root, RUNS, String(number).padStart(5, '0'));
      underWay.set(folder, { reserved: wanted, bytes: 0 });
      return folder;
    },
    keep: async (folder, worth) => {
      order += 1;
      disk.keep({ folder, worth, order, bytes: await bytesBelow(folder), groupBytes: await ownBytes(dirname(folder)) });
      note();
    },
    end: async (folder) => {
      const names = await readdir(folder).catch(() => []);
      const strangers = names.filter((name) => !disk.has(join(folder, name)));
      await Promise.all(strangers.map((name) => rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })));
      // Also where the last bundle of it has gone meanwhile, to make room for another group.
      await rmdir(folder).catch(() => {});
      underWay.delete(folder);
      note();
    },
    watch: (onNoRoom) => {
      let isBusy = false;
      const look = async (): Promise<void> => {
        if (isBusy) return;
        isBusy = true;
        await measure();
        const needed = [...underWay.values()].reduce((sum, { bytes }) => sum + bytes, forPages());
        // A run that grows and grows is cut before a single violation is given for it.
        if (!(await disk.makeRoom(needed, Infinity))) {
          const [worst] = [...underWay].sort(([, a], [, b]) => b.bytes - a.bytes);
          if (worst) onNoRoom(worst[0]);
        }
        isBusy = false;
      };
      const timer = setInterval(() => void look(), LOOK_EVERY_MS);
      return { stop: () => clearInterval(timer) };
    },
  };
};

/** Below the folder of the night, with slashes. */
export const shortOf = (folder: string): string => `runs/${basename(join(folder, '..'))}/${basename(folder)}`;
