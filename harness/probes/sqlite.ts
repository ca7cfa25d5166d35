// Opens a system's SQLite file without disturbing it. SQLite itself would block this process's loop
// while it waits for a lock, and every other probe with it: so it is told never to wait, and the
// waiting is done here, between tries.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, closeSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pass } from 'node:timers/promises';
import { nowMs } from '../model/time.ts';

const RETRY_MS = 5;
const SQLITE_BUSY = 5;
/** Bytes of the file's header; 18 and 19 are the write and read version, 2 for WAL (sqlite.org/fileformat2). */
const HEADER_BYTES = 20;

const CHANGED = 'ledger-changed';

/** A lock was in the way, or a writer: the next try may find it gone. */
const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  return code === CHANGED || (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY);
};

/**
 * Does `work` again until no lock is in the way.
 * @throws what `work` throws when it is not busy, or is still busy after `limitMs`
 */
export const whenUnlocked = async <T>(work: () => T, limitMs: number): Promise<T> => {
  const untilMs = nowMs() + limitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isPassing(error) || nowMs() >= untilMs) throw error;
      await pass(RETRY_MS);
    }
  }
};

/** Opens an existing file only: SQLite would create a missing one. @throws Error with the code `no-database` */
export const openDatabase = (path: string, readOnly: boolean): DatabaseSync => {
  if (!existsSync(path)) throw Object.assign(new Error(`no database at ${path}`), { code: 'no-database' });
  return new DatabaseSync(path, { readOnly, timeout: 0 });
};

/** Opens, works, and closes whatever happens. */
export const withDatabase = <T>(path: string, readOnly: boolean, work: (database: DatabaseSync) => T): T => {
  const database = openDatabase(path, readOnly);
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** WAL databases whose header is not looked at for now. */
const notLookedAt = new Set<string>();

/**
 * This process has a lock on that WAL database: whoever closes any descriptor of a file gives up all locks that his
 * process has on it (POSIX), and the header is read through a descriptor of its own.
 * @returns what ends it, after which `then` is done
 */
export const withoutLooking = (path: string, then: () => void): (() => void) => {
  notLookedAt.add(path);
  return () => {
    notLookedAt.delete(path);
    then();
  };
};

/** False while a lock of this process's own would be lost by it. */
export const isLookedAt = (path: string): boolean => !notLookedAt.has(path);

/** `unknown` while there is no file, or an empty one that nobody has written to. */
export const journalOf = (path: string): 'wal' | 'rollback' | 'unknown' => {
  if (notLookedAt.has(path)) return 'wal';
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 'unknown';
    } finally {
      closeSync(file);
    }
  } catch {
    return 'unknown';
  }
  return header[18] === 2 ? 'wal' : 'rollback';
};

/** A WAL database that somebody has open has its index file beside it; the last to close removes it. */
export const isOpenElsewhere = (path: string): boolean => existsSync(`${path}-shm`);

/** Sizes and times of the database's files: equal before and after a copy, nobody wrote meanwhile. */
const signatureOf = (path: string): string =>
  ['', '-wal', '-journal'].map((suffix) => {
    const stat = statSync(path + suffix, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.size}@${stat.mtimeNs}` : 'none';
  }).join(' ');

/**
 * Works on a copy of a database that nobody has open, with its log files: without `-wal` the last
 * transactions would be missing, and the original stays as the system left it.
 * @throws Error when the files changed while they were copied
 */
export const withCopy = <T>(path: string, work: (database: DatabaseSync) => T, parent = tmpdir()): T => {
  if (!existsSync(path)) throw Object.assign(new Error(`no database at ${path}`), { code: 'no-database' });
  // The actors' image holds nothing that is not needed, not even a folder for temporary files.
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'hangup-ledger-'));
  try {
    const copy = join(folder, basename(path));
    const before = signatureOf(path);
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    }
    if (signatureOf(path) !== before) throw Object.assign(new Error(`${path} changed while it was copied`), { code: CHANGED });
    // Not read-only: what a killed system left half done is rolled back or recovered in the copy.
    return withDatabase(copy, false, work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
