// Pays the available balance out. It is refused while anything is reserved: what is still being
// worked for may yet have to be paid.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './schema.ts';

export type RefundInput = { readonly keyHash: string; readonly evenIfReserved: boolean };
export type RefundResult =
  | { readonly outcome: 'refunded'; readonly amount: number }
  | { readonly outcome: 'reserved'; readonly account: string; readonly reserved: number; readonly active: number }
  | { readonly outcome: 'unknown-key' };

/** The account of a key, or null. */
export const createFind = (database: DatabaseSync) => {
  const find = database.prepare('SELECT id FROM accounts WHERE key_hash = ?');
  return (input: { readonly keyHash: string }): string | null => (find.get(input.keyHash) as { id: string } | undefined)?.id ?? null;
};

export const createRefund = (database: DatabaseSync) => {
  const find = database.prepare('SELECT id, balance, reserved FROM accounts WHERE key_hash = ?');
  const countActive = database.prepare("SELECT count(*) AS active FROM reservations WHERE payer = ? AND state = 'active'");
  const pay = database.prepare('UPDATE accounts SET refunded = refunded + balance, balance = 0 WHERE id = ?');
  return (input: RefundInput): RefundResult =>
    inTransaction(database, () => {
      const account = find.get(input.keyHash) as { id: string; balance: number; reserved: number } | undefined;
      if (!account) return { outcome: 'unknown-key' };
      const { active } = countActive.get(account.id) as { active: number };
      const isFree = account.reserved === 0 && active === 0;
      if (!isFree && !input.evenIfReserved) return { outcome: 'reserved', account: account.id, reserved: account.reserved, active };
      pay.run(account.id);
      return { outcome: 'refunded', amount: account.balance };
    });
};
