// Sets money aside for one request, and renews what is held. Reserving is the only way in: a request
// that has no row is never sent upstream.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Place } from './place.ts';
import { inTransaction } from './schema.ts';

export type ReserveInput = {
  readonly keyHash: string;
  readonly amount: number;
  readonly marker: string | null;
  /** By which the account's client names this request, so that it is billed once however often it comes; null: it does not. */
  readonly repeatKey: string | null;
};
export type ReserveResult =
  | { readonly outcome: 'reserved'; readonly id: string; readonly account: string }
  | { readonly outcome: 'unknown-key' }
  | { readonly outcome: 'insufficient-balance' }
  /** The same request is being served, or has been charged. */
  | { readonly outcome: 'repeated'; readonly state: 'active' | 'charged' };

export type RenewInput = { readonly ids: readonly string[]; readonly maximumAgeMs: number };
/** Rows that are no longer active: their money has been given back, so their work has to stop. */
export type RenewResult = { readonly lost: readonly string[] };

/** A request that came to nothing may be repeated; one that is served or charged may not. */
const createRepeats = (database: DatabaseSync) => {
  const find = database.prepare(
    'SELECT r.state FROM repeats p JOIN reservations r ON r.id = p.reservation ' +
      "WHERE p.account = ? AND p.key = ? AND r.state <> 'released'",
  );
  const remember = database.prepare('INSERT OR REPLACE INTO repeats (account, key, reservation) VALUES (?, ?, ?)');
  return {
    stateOf: (account: string, key: string) => (find.get(account, key) as { state: 'active' | 'charged' } | undefined)?.state ?? null,
    remember: (account: string, key: string, reservation: string) => void remember.run(account, key, reservation),
  };
};

export const createReserve = (database: DatabaseSync, { instance, instances, clocks }: Place) => {
  const findAccount = database.prepare('SELECT id, coalesce(payer, id) AS payer FROM accounts WHERE key_hash = ?');
  const hold = database.prepare(
    'UPDATE accounts SET balance = balance - :amount, reserved = reserved + :amount, reserved_at = :now ' +
      'WHERE id = :payer AND balance >= :amount',
  );
  const insert = database.prepare(
    'INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at, instance) ' +
      'VALUES (:id, :account, :payer, :amount, :marker, :now, :now, :instance)',
  );
  const repeats = createRepeats(database);
  return (input: ReserveInput): ReserveResult =>
    inTransaction(database, () => {
      const found = findAccount.get(input.keyHash) as { id: string; payer: string } | undefined;
      if (!found) return { outcome: 'unknown-key' };
      const { amount, marker, repeatKey } = input;
      const state = repeatKey === null ? null : repeats.stateOf(found.id, repeatKey);
      if (state !== null) return { outcome: 'repeated', state };
      const now = clocks.wallMs();
      if (hold.run({ amount, now, payer: found.payer }).changes === 0) return { outcome: 'insufficient-balance' };
      const id = randomUUID();
      insert.run({ id, account: found.id, payer: found.payer, amount, marker, now, instance });
      instances.enter(now);
      if (repeatKey !== null) repeats.remember(found.id, repeatKey, id);
      return { outcome: 'reserved', id, account: found.id };
    });
};

export const createRenew = (database: DatabaseSync, { clocks }: Place) => {
  // Three guards: a terminal row stays terminal, a lease only ever moves forward, and nothing renews past its original age.
  const renew = database.prepare(
    "UPDATE reservations SET lease_at = max(:now, lease_at + 1) WHERE id = :id AND state = 'active' AND started_at > :oldest",
  );
  const isActive = database.prepare("SELECT 1 FROM reservations WHERE id = ? AND state = 'active'");
  return (input: RenewInput): RenewResult =>
    inTransaction(database, () => {
      const now = clocks.wallMs();
      const notRenewed = input.ids.filter((id) => renew.run({ id, now, oldest: now - input.maximumAgeMs }).changes === 0);
      return { lost: notRenewed.filter((id) => isActive.get(id) === undefined) };
    });
};
