// The room that evidence may take, over all nights of one folder. It is never exceeded: before anything is begun there must be room for
// it, what is under way is watched, and what goes first is what says least: plain passes, the oldest first; violations go last, and
// never all of them.
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WORTHS } from '../../model/soak.ts';
import type { SoakRemoved, Worth } from '../../model/soak.ts';

export type Kept = { readonly folder: string; readonly bytes: number; readonly worth: Worth; readonly order: number };

export type Disk = {
  readonly limitBytes: number;
  readonly keep: (kept: Kept) => void;
  /** Takes a bundle away whatever room there is, because nothing says more by it. */
  readonly drop: (folder: string) => Promise<void>;
  /**
   * Removes until so much more fits; nothing where it is plain from the beginning that it cannot.
   * @param sparedBytes so much of what failed stays in any case, the newest. @returns whether it fits
   */
  readonly makeRoom: (bytes: number, sparedBytes: number) => Promise<boolean>;
  readonly has: (folder: string) => boolean;
  /** Null: it is not kept. */
  readonly bytesOf: (folder: string) => number | null;
  readonly keptBytes: () => number;
  readonly largestBytes: () => number;
  /** Removed for want of room, by what it was. */
  readonly removed: () => readonly SoakRemoved[];
};

/** On the disk, folders included: what `du` says. What vanishes meanwhile takes none. */
export const bytesBelow = async (path: string): Promise<number> => {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  const own = found.blocks * 512;
  if (!found.isDirectory()) return own;
  const names = await readdir(path).catch(() => []);
  let sum = own;
  for (const name of names) sum += await bytesBelow(join(path, name));
  return sum;
};

/** @returns what could not be removed, bytes: it takes room as before, and is no reason to end a night */
const remove = async (folder: string): Promise<number> => {
  const isGone = await rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(() => true, () => false);
  // The folder of the group that it was begun with, when nothing else is left in it.
  await rmdir(dirname(folder)).catch(() => {});
  return isGone ? 0 : bytesBelow(folder);
};

/** @param before of earlier nights, oldest first */
export const createDisk = (limitBytes: number, before: readonly Kept[] = []): Disk => {
  const all = new Map<string, Kept>(before.map((kept) => [kept.folder, kept]));
  const removed = new Map<Worth, { count: number; bytes: number }>();
  let keptBytes = before.reduce((sum, { bytes }) => sum + bytes, 0);
  let largestBytes = 0;
  const forget = (kept: Kept): void => {
    if (all.delete(kept.folder)) keptBytes -= kept.bytes;
  };
  const removeAndCount = async (folder: string): Promise<void> => {
    const leftBytes = await remove(folder);
    keptBytes += leftBytes;
  };
  /** What says least; among those, the oldest. */
  const leastWorth = (): Kept | undefined => {
    let least: Kept | undefined;
    for (const kept of all.values()) {
      const by = least === undefined ? -1 : WORTHS.indexOf(kept.worth) - WORTHS.indexOf(least.worth) || kept.order - least.order;
      if (by < 0) least = kept;
    }
    return least;
  };
  const failedBytes = (): number => [...all.values()].reduce((sum, { worth, bytes }) => sum + (worth === 'failed' ? bytes : 0), 0);
  return {
    limitBytes,
    keep: (kept) => {
      all.set(kept.folder, kept);
      keptBytes += kept.bytes;
      largestBytes = Math.max(largestBytes, kept.bytes);
    },
    drop: async (folder) => {
      const kept = all.get(folder);
      if (kept) forget(kept);
      await removeAndCount(folder);
    },
    makeRoom: async (bytes, sparedBytes) => {
      if (Math.min(sparedBytes, failedBytes()) + bytes > limitBytes) return false;
      while (keptBytes + bytes > limitBytes) {
        const least = leastWorth();
        if (least === undefined || (least.worth === 'failed' && failedBytes() - least.bytes < sparedBytes)) return false;
        // Before it is removed: two that make room at once must not count one removal twice.
        forget(least);
        const sum = removed.get(least.worth) ?? { count: 0, bytes: 0 };
        removed.set(least.worth, { count: sum.count + 1, bytes: sum.bytes + least.bytes });
        await removeAndCount(least.folder);
      }
      return true;
    },
    has: (folder) => all.has(folder),
    bytesOf: (folder) => all.get(folder)?.bytes ?? null,
    keptBytes: () => keptBytes,
    largestBytes: () => largestBytes,
    removed: () => WORTHS.flatMap((worth) => (removed.has(worth) ? [{ what: worth, ...removed.get(worth)! }] : [])),
  };
};
