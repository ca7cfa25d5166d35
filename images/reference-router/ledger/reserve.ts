// Sets money aside for one request, and renews what is held. Reserving is the only way in: a request
// that has no row is never sent upstream.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './schema.ts';

export type ReserveInput = { readonly keyHash: string; readonly amount: number; readonly marker: string | null; readonly instance: string };
export type ReserveResult =
  | { readonly outcome: 'reserved'; readonly id: string; readonly account: string }
  | { readonly outcome: 'unknown-key' }
  | { readonly outcome: 'insufficient-balance' };

export type RenewInput = { readonly ids: readonly string[]; readonly maximumAgeMs: number };
/** Rows that are no longer active: their money has been given back, so their work has to stop. */
export type RenewResult = { readonly lost: readonly string[] };

export const createReserve = (database: DatabaseSync) => {
  const findAccount = database.prepare('SELECT id, coalesce(payer, id) AS payer FROM accounts WHERE key_hash = ?');
  const hold = database.prepare(
    'UPDATE accounts SET balance = balance - :amount, reserved = reserved + :amount, reserved_at = :now ' +
      'WHERE id = :payer AND balance >= :amount',
  );
  const insert = database.prepare(
    'INSERT INTO reservations (id, account, payer, amount, marker, started_at, lease_at, instance) ' +
      'VALUES (:id, :account, :payer, :amount, :marker, :now, :now, :instance)',
  );
  return (input: ReserveInput): ReserveResult =>
    inTransaction(database, () => {
      const found = findAccount.get(input.keyHash) as { id: string; payer: string } | undefined;
      if (!found) return { outcome: 'unknown-key' };
      const now = Date.now();
      const { amount, marker, instance } = input;
      if (hold.run({ amount, now, payer: found.payer }).changes === 0) return { outcome: 'insufficient-balance' };
      const id = randomUUID();
      insert.run({ id, account: found.id, payer: found.payer, amount, marker, now, instance });
      return { outcome: 'reserved', id, account: found.id };
    });
};

export const createRenew = (database: DatabaseSync) => {
  // Three guards: a terminal row stays terminal, a lease never moves back, and nothing renews past its original age.
  const renew = database.prepare(
    "UPDATE reservations SET lease_at = :now WHERE id = :id AND state = 'active' AND lease_at < :now AND started_at > :oldest",
  );
  const isActive = database.prepare("SELECT 1 FROM reservations WHERE id = ? AND state = 'active'");
  return (input: RenewInput): RenewResult =>
    inTransaction(database, () => {
      const now = Date.now();
      const notRenewed = input.ids.filter((id) => renew.run({ id, now, oldest: now - input.maximumAgeMs }).changes === 0);
      return { lost: notRenewed.filter((id) => isActive.get(id) === undefined) };
    });
};
