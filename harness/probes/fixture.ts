// What the probes' tests share: a real ledger, and programs that run beside the test.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pass } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-probes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const SCHEMA = `
  CREATE TABLE accounts (id TEXT, balance INTEGER, reserved INTEGER, spent INTEGER);
  CREATE TABLE reservations (id INTEGER, account TEXT, amount INTEGER, state TEXT, lease INTEGER, marker TEXT);
  INSERT INTO accounts VALUES ('alice', 900, 100, 0);
  INSERT INTO reservations VALUES (7, 'alice', 100, 'active', 1700000000000, 'hx.alice.1.00000000');`;

export const QUERIES = {
  accounts: 'SELECT id, balance, reserved, spent FROM accounts',
  reservations: 'SELECT id, account, amount, state, lease AS lease_at, marker FROM reservations ORDER BY id',
};

export const createLedger = (journal: 'wal' | 'delete'): { path: string; database: DatabaseSync; folder: string } => {
  const folder = temporaryFolder();
  const path = join(folder, 'ledger.db');
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = ${journal};${SCHEMA}`);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return { path, database, folder };
};

/** A Node program beside the test. `ready` resolves with the first line that it prints. */
export const runProgram = (source: string, stdin: 'ignore' | 'pipe' = 'ignore'): { child: ChildProcess; ready: Promise<string> } => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: [stdin, 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  return { child, ready: once(child.stdout!, 'data').then(([chunk]) => String(chunk).trim()) };
};

/** Polls until the condition holds; fails naming what was awaited. */
export const until = async (what: string, condition: () => boolean, limitMs = 10_000): Promise<void> => {
  const untilMs = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > untilMs) throw new Error(`still waiting for ${what} after ${limitMs} ms`);
    await pass(5);
  }
};
