// The ledger view on real files: canonical rows, errors that name their cause, and a system that
// never notices that it is watched.
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LedgerValue } from '../model/samples.ts';
import { createLedger, QUERIES, runProgram, temporaryFolder } from './fixture.ts';
import { definition } from './ledger.ts';

const sample = (path: string, extra: object = {}): Promise<LedgerValue> =>
  definition.open({ path, queries: QUERIES, terminal: ['charged'], ...extra }).sample() as Promise<LedgerValue>;

it('gives canonical rows: payer from account, ids as text, states known as terminal', async () => {
  const { path, database } = createLedger('wal');
  database.exec("INSERT INTO reservations VALUES (8, 'alice', 5, 'charged', NULL, NULL)");
  const value = await sample(path);
  expect(value.accounts).toEqual([{ id: 'alice', balance: 900, reserved: 100, spent: 0 }]);
  expect(value.reservations).toEqual([
    {
      id: '7', account: 'alice', payer: 'alice', amount: 100, state: 'active', terminal: false,
      leaseAtMs: 1_700_000_000_000, marker: 'hx.alice.1.00000000',
    },
    { id: '8', account: 'alice', payer: 'alice', amount: 5, state: 'charged', terminal: true },
  ]);
  expect(value.consistent).toBe(true);
  expect(Math.abs(value.wallMs - Date.now())).toBeLessThan(60_000);
  expect('charges' in value).toBe(false);
});

it('reads times written as text', async () => {
  const { path } = createLedger('wal');
  const times = "'2026-01-01T00:00:00.500Z' AS lease_at, '1700000000001' AS started_at";
  const reservations = `SELECT id, account, amount, state, ${times} FROM reservations`;
  const value = await sample(path, { queries: { ...QUERIES, reservations } });
  expect(value.reservations[0]).toMatchObject({ leaseAtMs: Date.UTC(2026, 0, 1) + 500, startedAtMs: 1_700_000_000_001 });
});

it.each([
  ['a column of the contract is missing', { accounts: 'SELECT id, balance, reserved FROM accounts' },
    /"accounts".*no column "spent".*id, balance, reserved/],
  ['the SQL is wrong', { ...QUERIES, charges: 'SELEKT 1' }, /"charges".*near "SELEKT": syntax error/],
  ['a table is missing', { ...QUERIES, reservations: 'SELECT * FROM nowhere' }, /"reservations".*no such table: nowhere/],
  ['an amount is no number', { accounts: "SELECT id, 'much' AS balance, 0 AS reserved, 0 AS spent FROM accounts" },
    /"balance" of row alice is much/],
])('says so when %s', async (_, queries, message) => {
  await expect(sample(createLedger('wal').path, { queries })).rejects.toThrow(message);
});

it('says so when there is no file, and creates none', async () => {
  const folder = temporaryFolder();
  await expect(sample(join(folder, 'ledger.db'))).rejects.toThrow(/no database at .*ledger\.db/);
  expect(readdirSync(folder)).toEqual([]);
});

it('says so when the file is not a database', async () => {
  const path = join(temporaryFolder(), 'ledger.db');
  writeFileSync(path, 'balance: 100\n'.repeat(100));
  await expect(sample(path)).rejects.toThrow(/file is not a database/);
});

it('never sees half a transaction of a writer that never rests', async () => {
  const { path, database } = createLedger('wal');
  const { child, ready } = runProgram(`
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(path)}, { timeout: 5000 });
    for (let round = 0; ; round += 1) {
      database.exec('BEGIN IMMEDIATE; UPDATE accounts SET balance = balance - 1, reserved = reserved + 1;' +
        'UPDATE reservations SET amount = amount + 1; COMMIT');
      if (round === 0) console.log('writing');
    }`);
  await ready;
  const seen = new Set<number>();
  const untilMs = performance.now() + 10_000;
  while (seen.size < 20) {
    expect(performance.now(), `samples at ${seen.size} of 20 different moments`).toBeLessThan(untilMs);
    const value = await sample(path);
    const account = value.accounts[0]!;
    expect(account.balance + account.reserved).toBe(1000);
    expect(value.reservations[0]!.amount).toBe(account.reserved);
    seen.add(account.reserved);
  }
  expect(child.exitCode, 'the writer was not disturbed').toBe(null);
  expect(database.prepare('SELECT count(*) AS n FROM accounts').get()?.n).toBe(1);
});

it('leaves nothing beside a database that its system has closed', async () => {
  const { path, database, folder } = createLedger('wal');
  database.close();
  expect((await sample(path)).accounts).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['ledger.db']);
});

it('reads the last transactions of a killed system, and leaves its files as they are', async () => {
  const { path, database, folder } = createLedger('wal');
  database.close();
  const { child, ready } = runProgram(`
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(path)});
    database.exec("INSERT INTO reservations VALUES (9, 'alice', 1, 'active', 1, NULL)");
    console.log('written');
    setInterval(() => {}, 1000);`);
  await ready;
  child.kill('SIGKILL');
  await once(child, 'exit');
  const before = readdirSync(folder);
  expect(before).toContain('ledger.db-wal');
  // Both before it is known that the system is dead, and after.
  for (const dead of [false, true]) {
    const value = await sample(path, { dead });
    expect(value.reservations.map((row) => row.id)).toEqual(['7', '9']);
    expect(readdirSync(folder)).toEqual(before);
  }
});

it('asks to be sampled at marks only while a reader could lock the writer out', () => {
  const isMarksOnly = (path: string, extra: object = {}): boolean | undefined =>
    definition.open({ path, queries: QUERIES, terminal: [], ...extra }).marksOnly?.();
  const rollback = createLedger('delete').path;
  expect(isMarksOnly(rollback)).toBe(true);
  expect(isMarksOnly(rollback, { dead: true })).toBe(false);
  expect(isMarksOnly(createLedger('wal').path)).toBe(false);
  expect(isMarksOnly(join(temporaryFolder(), 'not-yet.db'))).toBe(false);
});

it('waits for a lock without stopping the loop, and then says that it was locked', async () => {
  const { path, database } = createLedger('delete');
  database.exec('BEGIN EXCLUSIVE');
  let turns = 0;
  const timer = setInterval(() => { turns += 1; }, 5);
  await expect(sample(path)).rejects.toThrow(/database is locked/);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  setTimeout(() => database.exec('COMMIT'), 30);
  expect((await sample(path)).accounts).toHaveLength(1);
});
