// The room that evidence may take, over all nights of one folder, pages and history with it. It is never exceeded: before anything is begun there must be room for
// it, what is under way is watched, and what goes first is what says least: plain passes, the oldest first; violations go last, and
// never all of them.
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WORTHS } from '../../model/soak.ts';
import type { SoakRemoved, Worth } from '../../model/soak.ts';
import { createShelf } from './shelf.ts';
import type { Kept } from './shelf.ts';

/** What is no bundle and stays: pages, history, folders of nights; and pages that were removed before the night began. */
export type Pages = { readonly bytes: number; readonly removed: SoakRemoved | null };

export type Disk = {
  readonly limitBytes: number;
  /** What of it may be bundles. */
  readonly roomBytes: () => number;
  /** Pages that are about to be written. */
  readonly addPages: (bytes: number) => void;
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
  /** On the disk, bundles and everything else that is counted. */
  readonly keptBytes: () => number;
  readonly largestBytes: () => number;
  /** Removed for want of room, by what it was. */
  readonly removed: () => readonly SoakRemoved[];
};

const BLOCK_BYTES = 512;

/** Of a file, or of a folder without what is in it. What is not there takes none. */
export const ownBytes = async (path: string): Promise<number> => ((await lstat(path).catch(() => null))?.blocks ?? 0) * BLOCK_BYTES;

/** On the disk, folders included: what `du` says. What vanishes meanwhile takes none. */
export const bytesBelow = async (path: string): Promise<number> => {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  const own = found.blocks * BLOCK_BYTES;
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

const NO_PAGES: Pages = { bytes: 0, removed: null };

/** @param before of earlier nights, oldest first @param pages of earlier nights */
export const createDisk = (limitBytes: number, before: readonly Kept[] = [], pages: Pages = NO_PAGES): Disk => {
  const shelf = createShelf();
  const { all, forget } = shelf;
  for (const kept of before) shelf.add(kept);
  const removed = new Map<Worth, { count: number; bytes: number }>();
  let pagesBytes = pages.bytes;
  let leftBytes = 0;
  let largestBytes = 0;
  const keptBytes = (): number => shelf.bytes() + pagesBytes + leftBytes;
  const removeAndCount = async (folder: string): Promise<void> => {
    const bytes = await remove(folder);
    leftBytes += bytes;
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
    roomBytes: () => Math.max(0, limitBytes - pagesBytes),
    addPages: (bytes) => {
      pagesBytes += bytes;
    },
    keep: (kept) => {
      shelf.add(kept);
      largestBytes = Math.max(largestBytes, kept.bytes);
    },
    drop: async (folder) => {
      const kept = all.get(folder);
      if (kept) forget(kept);
      await removeAndCount(folder);
    },
    makeRoom: async (bytes, sparedBytes) => {
      if (pagesBytes + Math.min(sparedBytes, failedBytes()) + bytes > limitBytes) return false;
      while (keptBytes() + bytes > limitBytes) {
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
    keptBytes,
    largestBytes: () => largestBytes,
    removed: () => [...WORTHS.flatMap((worth) => (removed.has(worth) ? [{ what: worth, ...removed.get(worth)! }] : [])), ...(pages.removed === null ? [] : [pages.removed])],
  };
};
