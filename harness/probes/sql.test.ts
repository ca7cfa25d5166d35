// Writing into a ledger beside its system: all or nothing, patient with a lock, exact about errors.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLedger, temporaryFolder } from './fixture.ts';
import { runSql } from './sql.ts';

const INSERT = 'INSERT INTO accounts VALUES (?, 10, 0, 0)';

it('writes all statements in one transaction and counts what they changed', async () => {
  const { path, database } = createLedger('wal');
  const result = await runSql(path, [
    { sql: INSERT, parameters: ['bob'] },
    { sql: 'UPDATE accounts SET balance = :balance', parameters: { balance: 5 } },
  ]);
  expect(result).toEqual({ changes: [1, 2] });
  expect(database.prepare('SELECT id, balance FROM accounts ORDER BY id').all()).toMatchObject([
    { id: 'alice', balance: 5 }, { id: 'bob', balance: 5 },
  ]);
});

it('writes nothing when a statement fails, and names it', async () => {
  const { path, database } = createLedger('wal');
  await expect(runSql(path, [{ sql: INSERT, parameters: ['bob'] }, { sql: 'UPDATE nowhere SET x = 1' }]))
    .rejects.toThrow('statement 2 of 2: no such table: nowhere');
  expect(database.prepare('SELECT count(*) AS n FROM accounts').get()?.n).toBe(1);
});

it('waits until a lock is given back', async () => {
  const { path, database } = createLedger('wal');
  database.exec('BEGIN IMMEDIATE');
  setTimeout(() => database.exec('ROLLBACK'), 60);
  await expect(runSql(path, [{ sql: INSERT, parameters: ['bob'] }])).resolves.toEqual({ changes: [1] });
});

it('gives up on a lock that is held', async () => {
  const { path, database } = createLedger('wal');
  database.exec('BEGIN IMMEDIATE');
  await expect(runSql(path, [{ sql: INSERT, parameters: ['bob'] }], 50)).rejects.toThrow(/database is locked/);
});

it('does not create a database', async () => {
  const path = join(temporaryFolder(), 'none.db');
  await expect(runSql(path, [])).rejects.toMatchObject({ code: 'no-database' });
  expect(existsSync(path)).toBe(false);
});
