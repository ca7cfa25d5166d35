// What counts as over, with clocks set by hand: a real database, and several instances that do not agree
// about the time of day.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createOperations } from './operations.ts';
import type { Operations } from './operations.ts';
import { createPlace } from './place.ts';
import { openLedger } from './schema.ts';
import { cleanSweepPolicy } from './sweep.ts';
import type { SweepPolicy } from './sweep.ts';

const LEASE_MS = 1_500;
const HOUR_MS = 3_600_000;
const START_MS = 1_700_000_000_000;

type Ledger = {
  readonly database: DatabaseSync;
  /** An instance whose wall clock is ahead by so much. */
  readonly join: (name: string, aheadMs?: number) => Operations & { readonly forget: () => void };
  readonly pass: (ms: number) => void;
  readonly states: () => Readonly<Record<string, string>>;
  readonly account: (id?: string) => { readonly balance: number; readonly reserved: number };
};

const createLedger = (): Ledger => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  const database = openLedger(join(folder, 'ledger.db'), 1_000);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const id of ['a', 'b']) database.prepare('INSERT INTO accounts (id, key_hash, balance) VALUES (?, ?, 1000)').run(id, id);
  let now = 0;
  return {
    database,
    join: (name, aheadMs = 0) => {
      const place = createPlace(database, name, LEASE_MS, { monotonicMs: () => now, wallMs: () => START_MS + now + aheadMs });
      return { ...createOperations(database, place), forget: place.forget };
    },
    pass: (ms) => void (now += ms),
    states: () => Object.fromEntries(
      (database.prepare('SELECT coalesce(marker, id) AS name, state FROM reservations').all() as { name: string; state: string }[])
        .map(({ name, state }) => [name, state])),
    account: (id = 'a') =>
      database.prepare('SELECT balance, reserved FROM accounts WHERE id = ?').get(id) as { balance: number; reserved: number },
  };
};

const reserve = (instance: Operations, marker: string, keyHash = 'a'): string => {
  const result = instance.reserve({ keyHash, amount: 100, marker, repeatKey: null });
  if (result.outcome !== 'reserved') throw new Error(`not reserved: ${result.outcome}`);
  return result.id;
};

const sweep = (instance: Operations, policy: Partial<SweepPolicy> = {}, payer: string | null = null) =>
  instance.sweep({ payer, policy: { ...cleanSweepPolicy, ...policy } });

/** A row of nobody, with its aggregate unless told otherwise. */
const seed = ({ database }: Ledger, id: string, leaseAgoMs: number, { amount = 100, payer = 'a', aggregate = true } = {}): void => {
  database.prepare('INSERT INTO reservations (id, account, payer, amount, started_at, lease_at, instance) VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(id, payer, payer, amount, START_MS - leaseAgoMs, START_MS - leaseAgoMs, 'gone');
  if (!aggregate) return;
  database.prepare('UPDATE accounts SET balance = balance - ?, reserved = reserved + ? WHERE id = ?').run(amount, amount, payer);
};

const OFF_MS = [HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS];

test.for(OFF_MS)('an instance whose clock is off by %i ms neither steals nor is stolen from', (aheadMs) => {
  const ledger = createLedger();
  const [right, skewed] = [ledger.join('right'), ledger.join('skewed', aheadMs)];
  const ids = { right: reserve(right, 'of-right'), skewed: reserve(skewed, 'of-skewed') };
  for (let n = 0; n < 12; n += 1) {
    ledger.pass(500);
    expect(right.renew({ ids: [ids.right], maximumAgeMs: 60_000 }).lost).toEqual([]);
    expect(skewed.renew({ ids: [ids.skewed], maximumAgeMs: 60_000 }).lost).toEqual([]);
    expect([...sweep(right).released, ...sweep(skewed).released]).toEqual([]);
  }
  // Now the skewed one is killed.
  ledger.pass(400);
  sweep(right);
  for (let n = 0; n < 4; n += 1) {
    ledger.pass(500);
    right.renew({ ids: [ids.right], maximumAgeMs: 60_000 });
    sweep(right);
  }
  expect(ledger.states()).toEqual({ 'of-right': 'active', 'of-skewed': 'released' });
  expect(ledger.account()).toEqual({ balance: 900, reserved: 100 });
});

const leaseOf = ({ database }: Ledger): number =>
  (database.prepare('SELECT lease_at FROM reservations').get() as { lease_at: number }).lease_at;

test('nothing renews past its original age, whichever clock it was started by', () => {
  const ledger = createLedger();
  const skewed = ledger.join('skewed', HOUR_MS);
  const id = reserve(skewed, 'old');
  ledger.pass(900);
  skewed.renew({ ids: [id], maximumAgeMs: 1_000 });
  const last = leaseOf(ledger);
  ledger.pass(200);
  expect(skewed.renew({ ids: [id], maximumAgeMs: 1_000 })).toEqual({ lost: [] });
  expect(leaseOf(ledger)).toBe(last);
});

test('a lease moves forward with each renewal, even one that lies in the future', () => {
  const ledger = createLedger();
  const [owner, peer] = [ledger.join('owner'), ledger.join('peer')];
  const id = reserve(owner, 'future');
  ledger.database.prepare('UPDATE reservations SET lease_at = lease_at + ?').run(HOUR_MS);
  for (let n = 0; n < 8; n += 1) {
    ledger.pass(500);
    const before = leaseOf(ledger);
    owner.renew({ ids: [id], maximumAgeMs: 60_000 });
    expect(leaseOf(ledger)).toBeGreaterThan(before);
    sweep(peer);
  }
  expect(ledger.states()).toEqual({ future: 'active' });
});

test('a row of nobody: old at once, in the future after a lease without a move', () => {
  const ledger = createLedger();
  const instance = ledger.join('one');
  seed(ledger, 'old', 10_000);
  seed(ledger, 'future', -HOUR_MS);
  expect(sweep(instance).released).toEqual([{ id: 'old', payer: 'a' }]);
  ledger.pass(700);
  instance.look();
  ledger.pass(700);
  expect(sweep(instance).released).toEqual([]);
  ledger.pass(200);
  expect(sweep(instance).released).toEqual([{ id: 'future', payer: 'a' }]);
  expect(ledger.account()).toEqual({ balance: 1_000, reserved: 0 });
});

test('who has slept does not take the others for dead; nor who could not write', () => {
  const ledger = createLedger();
  const [owner, peer] = [ledger.join('owner'), ledger.join('peer')];
  reserve(owner, 'a');
  peer.look();
  ledger.pass(60_000);
  expect(sweep(peer).released, 'after a long sleep').toEqual([]);
  ledger.pass(700);
  peer.look();
  peer.forget();
  ledger.pass(700);
  expect(sweep(peer).released, 'after a lock').toEqual([]);
  for (let n = 0; n < 2; n += 1) {
    ledger.pass(750);
    sweep(peer);
  }
  expect(ledger.states()).toEqual({ a: 'released' });
});

test('a row that its aggregate does not cover beside live ones stays; the others are released', () => {
  const ledger = createLedger();
  const instance = ledger.join('one');
  const id = reserve(instance, 'live');
  seed(ledger, 'poison', 60_000, { aggregate: false });
  seed(ledger, 'elsewhere', 50_000, { payer: 'b' });
  const { released, failed } = sweep(instance);
  expect(released).toEqual([{ id: 'elsewhere', payer: 'b' }]);
  expect(failed).toEqual([{ id: 'poison', error: expect.stringContaining('other rows hold 100') }]);
  expect(instance.settle({ id, cost: 3, reason: 'finished' })).toEqual({ settled: true, charged: 3 });
  expect(ledger.account()).toEqual({ balance: 997, reserved: 0 });
});

test.for([1, 100, 100_000])('the first in order is poisoned by %i: those of the same account are released all the same', (amount) => {
  const ledger = createLedger();
  const instance = ledger.join('one');
  reserve(instance, 'live');
  seed(ledger, 'poison', 60_000, { aggregate: false, amount });
  for (const id of ['good', 'better']) seed(ledger, id, 50_000);
  expect(() => sweep(instance, { onError: 'stop' })).toThrow(/cannot be given back/);
  for (const released of [['good', 'better'], []]) expect(sweep(instance).released.map(({ id }) => id)).toEqual(released);
  expect(ledger.states()).toEqual({ live: 'active', poison: 'active', good: 'released', better: 'released' });
  expect(ledger.account()).toEqual({ balance: 900, reserved: 100 });
});

const residue = ({ database }: Ledger, reservedAt: number | null): void =>
  void database.prepare("UPDATE accounts SET balance = balance - 70, reserved = reserved + 70, reserved_at = ? WHERE id = 'a'")
    .run(reservedAt);

test.for([null, 'a'])('an aggregate without a row, swept for %s: old and without a time it goes back, recent it stays', (payer) => {
  for (const [reservedAt, reserved] of [[START_MS - 10_000, 100], [null, 100], [START_MS - 1_000, 170]] as const) {
    const ledger = createLedger();
    const instance = ledger.join('one');
    reserve(instance, 'live');
    residue(ledger, reservedAt);
    sweep(instance, {}, payer);
    expect(ledger.account(), String(reservedAt)).toEqual({ balance: 1_000 - reserved, reserved });
  }
});

test('an aggregate from the future stays for a lease, then it goes back', () => {
  const ledger = createLedger();
  const instance = ledger.join('one');
  residue(ledger, START_MS + HOUR_MS);
  for (let n = 0; n < 2; n += 1) {
    expect(sweep(instance).repaired).toEqual([]);
    ledger.pass(750);
  }
  expect(sweep(instance).repaired).toEqual(['a']);
});

test('policies of the defects', () => {
  const ledger = createLedger();
  const instance = ledger.join('one');
  residue(ledger, null);
  expect(sweep(instance, { withoutTime: 'refund-only' }).repaired).toEqual([]);
  expect(sweep(instance, { withoutTime: 'refund-only' }, 'a').repaired).toEqual(['a']);
  residue(ledger, START_MS);
  expect(sweep(instance, { recent: 'clear' }).repaired).toEqual(['a']);
  seed(ledger, 'future', -HOUR_MS);
  const id = reserve(instance, 'live');
  for (let n = 0; n < 5; n += 1) {
    ledger.pass(500);
    instance.renew({ ids: [id], maximumAgeMs: 60_000 });
    expect(sweep(instance, { staleBy: 'lease-unless-future' }).released).toEqual([]);
  }
  expect(sweep(instance, { staleBy: 'start' }).released).toEqual([{ id, payer: 'a' }]);
});

test('an instance is known while it may own rows', () => {
  const ledger = createLedger();
  const names = () => (ledger.database.prepare('SELECT id FROM instances ORDER BY id').all() as { id: string }[]).map(({ id }) => id);
  const [one, two] = [ledger.join('one'), ledger.join('two')];
  expect(names()).toEqual([]);
  const id = reserve(one, 'first');
  reserve(two, 'second');
  sweep(two);
  expect(names()).toEqual(['one', 'two']);
  one.settle({ id, cost: 0, reason: 'client-left' });
  sweep(two);
  expect(names()).toEqual(['two']);
});
