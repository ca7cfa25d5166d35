// The ledger's file: tables, journal mode, and the one way to change it. Other processes may read and
// write it while the router runs, so nothing is cached and every change is a transaction.
import { DatabaseSync } from 'node:sqlite';

// `accounts.balance` is what is available, net of `reserved`. For each account
// balance + reserved + spent + refunded never changes, except when somebody pays in.
// `reservations.payer` is the account whose money is held; `started_at` never changes after the
// insert, `lease_at` moves with each renewal. Both are ms since the epoch, by the clock of whoever wrote them.
// `instances` holds who may still own rows; `repeats` which reservation a request that names itself has made.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY,
    key_hash TEXT UNIQUE NOT NULL,
    payer TEXT,
    balance INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0),
    reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
    refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded >= 0),
    reserved_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS reservations (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    payer TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'charged', 'released')),
    reason TEXT,
    marker TEXT,
    started_at INTEGER NOT NULL,
    lease_at INTEGER NOT NULL,
    ended_at INTEGER,
    instance TEXT
  );
  CREATE INDEX IF NOT EXISTS reservations_active ON reservations (payer, lease_at) WHERE state = 'active';
  CREATE TABLE IF NOT EXISTS charges (
    id TEXT PRIMARY KEY,
    reservation TEXT UNIQUE NOT NULL,
    account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    marker TEXT,
    at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS instances (id TEXT PRIMARY KEY, entered_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS repeats (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    reservation TEXT NOT NULL,
    PRIMARY KEY (account, key)
  );
`;

/** @param busyMs how long a statement waits for a lock before it gives up */
export const openLedger = (path: string, busyMs: number): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    inTransaction(database, () => database.exec(SCHEMA));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Takes the write lock first, so that what is read inside is still true when it is written. */
export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

/** SQLITE_BUSY and SQLITE_LOCKED with their extended codes: trying again may help. */
export const isBusy = (error: unknown): boolean => {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
  return code === 5 || code === 6;
};
