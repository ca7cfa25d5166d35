// How often a WAL database has been written: what changed and changed back between two samples shows in no row,
// but each commit leaves a count in the index file. It is only read, and never while a connection of our own is open.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { isLookedAt } from './sqlite.ts';

/** Two copies of the header of the wal-index, of which a writer is changing one at most (sqlite.org/walformat, 2.1). */
const COPY_BYTES = 48;
/** Of `iChange`, which grows by one with each commit that writes a page; in the byte order of the machine. */
const CHANGES_OFFSET = 8;
const TRIES = 3;

type Seen = { readonly file: string; readonly count: number };

const readIndex = (path: string): Seen | undefined => {
  const header = Buffer.alloc(2 * COPY_BYTES);
  try {
    const descriptor = openSync(`${path}-shm`, 'r');
    try {
      const { dev, ino, birthtimeNs } = fstatSync(descriptor, { bigint: true });
      if (readSync(descriptor, header, 0, header.length, 0) < header.length) return undefined;
      const isWhole = header.subarray(0, COPY_BYTES).equals(header.subarray(COPY_BYTES));
      if (!isWhole) return undefined;
      const count = endianness() === 'LE' ? header.readUInt32LE(CHANGES_OFFSET) : header.readUInt32BE(CHANGES_OFFSET);
      // A file in the place of one that was removed may have its number.
      return { file: `${dev}:${ino}:${birthtimeNs}`, count };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
};

const look = (path: string): Seen | undefined => {
  // Whoever closes a descriptor of a file gives up the locks that his process has on it.
  if (!isLookedAt(path)) return undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const seen = readIndex(path);
    if (seen) return seen;
  }
  return undefined;
};

export type Counted<T> = { readonly value: T; readonly writes: number | undefined };

/**
 * Reads with the count that belongs to what was read.
 * @returns a function; its `writes` is undefined where there is no count, or where it belongs to a file that is new:
 *   the count begins again with each, and two of them say nothing together
 */
export const createWriteCount = (path: string): (<T>(read: () => T) => Counted<T>) => {
  let file: string | undefined;
  return (read) => {
    let before = look(path);
    let value = read();
    for (let tries = 1; tries < TRIES && before?.count !== look(path)?.count; tries += 1) {
      before = look(path);
      value = read();
    }
    const isKnown = before !== undefined && before.file === file;
    file = before?.file;
    return { value, writes: isKnown ? before!.count : undefined };
  };
};
