// The count of writes on real files: each commit that writes a page, whoever made it; no look of our own.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { LedgerValue } from '../model/samples.ts';
import { createLedger, QUERIES } from './fixture.ts';
import { definition } from './ledger.ts';
import { withoutLooking } from './sqlite.ts';

const viewOf = (path: string): (() => Promise<LedgerValue>) => {
  const view = definition.open({ path, queries: QUERIES, terminal: ['charged'] });
  return async () => (await view.sample()) as LedgerValue;
};

it('counts commits, and neither looks nor what changes nothing', async () => {
  const { path, database } = createLedger('wal');
  const sample = viewOf(path);
  const writes = async (): Promise<number> => (await sample()).writes!;
  expect((await sample()).writes, 'of a file that is new to the view').toBeUndefined();
  const first = await writes();
  expect(await writes(), 'after looks alone').toBe(first);
  database.exec("BEGIN IMMEDIATE; UPDATE accounts SET balance = 1 WHERE id = 'nobody'; COMMIT; BEGIN IMMEDIATE; ROLLBACK");
  expect(await writes(), 'after transactions that change nothing').toBe(first);
  database.exec("UPDATE reservations SET state = 'released'");
  database.exec("UPDATE reservations SET state = 'active'");
  const there = await sample();
  expect(there.writes, 'released, and taken again').toBe(first + 2);
  expect(there.reservations[0]!.state).toBe('active');
  database.exec('BEGIN IMMEDIATE; UPDATE accounts SET balance = 5; UPDATE reservations SET amount = 5; COMMIT');
  expect(await writes(), 'one transaction').toBe(first + 3);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(await writes(), 'a checkpoint').toBe(first + 3);
  const other = new DatabaseSync(path);
  other.exec('UPDATE accounts SET balance = 7');
  other.close();
  expect(await writes(), 'of another connection').toBe(first + 4);
});

it('says nothing of a file that has begun anew', async () => {
  const { path, database } = createLedger('wal');
  const sample = viewOf(path);
  await sample();
  expect((await sample()).writes).toBeTypeOf('number');
  database.close();
  expect('writes' in (await sample()), 'nobody has it open').toBe(false);
  const again = new DatabaseSync(path);
  again.exec('UPDATE accounts SET balance = 8');
  expect((await sample()).writes, 'its index is another one').toBeUndefined();
  expect((await sample()).writes).toBeTypeOf('number');
  again.close();
});

it('does not look while a lock of our own would be lost by it, nor with a rollback journal', async () => {
  const { path, database } = createLedger('wal');
  const sample = viewOf(path);
  await sample();
  const end = withoutLooking(path, () => {});
  expect('writes' in (await sample())).toBe(false);
  end();
  database.close();
  const rollback = viewOf(createLedger('delete').path);
  await rollback();
  expect('writes' in (await rollback())).toBe(false);
});
