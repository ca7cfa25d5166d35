// Faults that write into a ledger, on a real one: rows, totals, and what belongs to neither.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { LedgerEntry } from './fault.ts';
import { createContext, fire } from './fixture.ts';

const openLedger = (): DatabaseSync => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-faults-'));
  const ledger = new DatabaseSync(join(folder, 'ledger.db'));
  onTestFinished(() => {
    ledger.close();
    rmSync(folder, { recursive: true });
  });
  ledger.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, reserved INTEGER CHECK (reserved BETWEEN 0 AND 600), reserved_at INTEGER)');
  ledger.exec(
    'CREATE TABLE reservations (id TEXT PRIMARY KEY, account TEXT, amount INTEGER, lease_at INTEGER, started_at INTEGER)',
  );
  ledger.exec("INSERT INTO accounts VALUES ('account-1', 5, NULL)");
  return ledger;
};
const writerTo =
  (ledger: DatabaseSync) =>
  async (entries: readonly LedgerEntry[]): Promise<void> => {
    ledger.exec('BEGIN IMMEDIATE');
    try {
      for (const { row, aggregate } of entries) {
        if (row) ledger
          .prepare('INSERT INTO reservations VALUES (?, ?, ?, ?, ?)')
          .run(row.id, row.account, row.amount, row.leaseAtMs, row.startedAtMs);
        if (aggregate) ledger.prepare('UPDATE accounts SET reserved = reserved + ?, reserved_at = ? WHERE id = ?')
          .run(aggregate.amount, aggregate.reservedAtMs, aggregate.account);
      }
      ledger.exec('COMMIT');
    } catch (error) {
      ledger.exec('ROLLBACK');
      throw error;
    }
  };
/** As the schema fills them in. */
const DEFAULTS = { account: 'alice', amount: 250, 'lease-age': 30_000, aggregate: true, order: 'any' };
const OPTIONS = { account: 'alice', amount: 250, 'lease-age': 30_000, count: 2 };

describe('ledger-rows', () => {
  it('adds stale rows and their aggregate, and names them', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    const before = Date.now();
    expect(await fire('ledger-rows', context, OPTIONS)).toBe(
      "2 reservations of 250 added to alice's account, lease 30.0 s old",
    );
    const rows = ledger.prepare('SELECT * FROM reservations ORDER BY id').all() as {
      id: string;
      account: string;
      lease_at: number;
      started_at: number;
    }[];
    expect(rows.map(({ account }) => account)).toEqual(['account-1', 'account-1']);
    for (const row of rows) {
      expect(row.lease_at).toBeGreaterThanOrEqual(before - 30_000);
      expect(row.lease_at).toBeLessThanOrEqual(Date.now() - 30_000);
      expect(row.started_at).toBe(row.lease_at);
    }
    expect(ledger.prepare('SELECT reserved FROM accounts').get()).toEqual({ reserved: 505 });
    expect(context.timeline.seal().of('ledger-rows')).toMatchObject([
      { account: 'account-1', reservations: rows.map(({ id }) => id) },
    ]);
    await fire('ledger-rows', createContext({ writeLedger: writerTo(ledger) }), {
      ...OPTIONS,
      count: 1,
      amount: 1,
      'started-age': 90_000,
    });
    expect(ledger.prepare('SELECT count(*) AS count, max(lease_at - started_at) AS age FROM reservations').get()).toEqual({
      count: 3,
      age: 60_000,
    });
  });

  it('names nothing where the ledger refused, and nothing is left of it', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    await expect(fire('ledger-rows', context, { ...OPTIONS, count: 3 })).rejects.toThrow('CHECK constraint');
    expect(ledger.prepare('SELECT count(*) AS count FROM reservations').get()).toEqual({ count: 0 });
    expect(context.timeline.observations).toEqual([]);
  });

  it('refuses a client without an account, and a ledger without reservations', async () => {
    await expect(fire('ledger-rows', createContext(), { ...OPTIONS, account: 'bob' })).rejects.toThrow('bob has no account');
    const facts = { ledger: { hasReservations: false, hasCharges: true } } as unknown as Facts;
    await expect(fire('ledger-rows', createContext({ facts }), OPTIONS)).rejects.toThrow('no reservations');
  });

  it('writes a lease ahead, started now', async () => {
    const ledger = openLedger();
    const before = Date.now();
    const options = { ...DEFAULTS, count: 1, 'lease-ahead': 60_000 };
    expect(await fire('ledger-rows', createContext({ writeLedger: writerTo(ledger) }), options)).toContain('lease 60.0 s ahead');
    const [row] = ledger.prepare('SELECT lease_at, started_at FROM reservations').all() as { lease_at: number; started_at: number }[];
    expect(row!.lease_at).toBeGreaterThanOrEqual(before + 60_000);
    expect(row!.started_at).toBeGreaterThanOrEqual(before);
    expect(row!.started_at).toBeLessThanOrEqual(Date.now());
    await expect(fire('ledger-rows', createContext(), { ...options, order: 'first' })).rejects.toThrow('is not the first');
  });

  it('writes a poisoned row: to release it would break the rules of the ledger', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    expect(await fire('ledger-rows', context, { ...DEFAULTS, count: 1, aggregate: false })).toContain('without their part of its total');
    expect(ledger.prepare('SELECT reserved FROM accounts').get()).toEqual({ reserved: 5 });
    expect(context.timeline.seal().of('ledger-rows')).toMatchObject([{ account: 'account-1', aggregate: false }]);
    expect(() => ledger.exec('UPDATE accounts SET reserved = reserved - (SELECT amount FROM reservations)')).toThrow('CHECK constraint');
  });

  it('comes first in the order of leases where that is asked, whatever lies there already', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    const leaseAtMs = Date.now() - 500_000;
    const held = { id: 'r1', account: 'account-1', payer: 'account-1', amount: 5, state: 'active', terminal: false, leaseAtMs };
    const reservations = [held, { ...held, id: 'r2', state: 'charged', terminal: true, leaseAtMs: 1 }];
    context.timeline.note({ type: 'sample', probe: 'ledger', tookMs: 0, value: { accounts: [], reservations, consistent: true, wallMs: 0 } });
    context.timeline.note({ type: 'sample', probe: 'ledger', tookMs: 0, error: 'locked' });
    await fire('ledger-rows', context, { ...DEFAULTS, count: 1, order: 'first' });
    const { lease_at: first } = ledger.prepare('SELECT lease_at FROM reservations').get() as { lease_at: number };
    expect(first).toBeLessThan(leaseAtMs);
    expect(first, 'what holds nothing any more is in no sweep').toBeGreaterThan(leaseAtMs - 10_000);
    await fire('ledger-rows', createContext({ writeLedger: writerTo(ledger) }), { ...DEFAULTS, count: 1, order: 'first', amount: 1 });
    expect(ledger.prepare('SELECT max(lease_at) > ? AS young FROM reservations').get(Date.now() - 60_000)).toEqual({ young: 1 });
  });
});

describe('ledger-aggregate', () => {
  it('reserves without a reservation, dated or not, and says so', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    const before = Date.now();
    expect(await fire('ledger-aggregate', context, { account: 'alice', amount: 100, age: 30_000 })).toBe(
      "100 reserved on alice's account without a reservation, 30.0 s old",
    );
    const dated = ledger.prepare('SELECT reserved, reserved_at FROM accounts').get() as { reserved: number; reserved_at: number };
    expect(dated.reserved).toBe(105);
    expect(Math.abs(dated.reserved_at - (before - 30_000))).toBeLessThan(10_000);
    expect(await fire('ledger-aggregate', context, { account: 'alice', amount: 50, age: 'none' })).toContain('undated');
    expect(ledger.prepare('SELECT reserved, reserved_at FROM accounts').get()).toEqual({ reserved: 155, reserved_at: null });
    expect(ledger.prepare('SELECT count(*) AS count FROM reservations').get()).toEqual({ count: 0 });
    expect(context.timeline.seal().of('ledger-aggregate')).toMatchObject([
      { account: 'account-1', amount: 100, reservedAtMs: dated.reserved_at },
      { account: 'account-1', amount: 50, reservedAtMs: null },
    ]);
  });

  it('notes nothing where the ledger refused, and knows no account that the scenario did not make', async () => {
    const ledger = openLedger();
    const context = createContext({ writeLedger: writerTo(ledger) });
    await expect(fire('ledger-aggregate', context, { account: 'alice', amount: 1_000, age: 'none' })).rejects.toThrow('CHECK constraint');
    await expect(fire('ledger-aggregate', context, { account: 'bob', amount: 1, age: 'none' })).rejects.toThrow('bob has no account');
    expect(context.timeline.observations).toEqual([]);
  });
});
