// The terminal transition of a reservation: what is owed is charged, the rest given back, in one
// transaction that can only start from `active`. Whoever comes second changes nothing.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clocks } from './clocks.ts';
import { inTransaction } from './schema.ts';

export type SettleInput = { readonly id: string; readonly cost: number; readonly reason: string };
export type SettleResult = { readonly settled: boolean; readonly charged: number };

type Row = { account: string; payer: string; amount: number; marker: string | null; balance: number };

export const createSettle = (database: DatabaseSync, { wallMs }: Clocks) => {
  const find = database.prepare(
    'SELECT r.account, r.payer, r.amount, r.marker, a.balance FROM reservations r JOIN accounts a ON a.id = r.payer ' +
      "WHERE r.id = ? AND r.state = 'active'",
  );
  const end = database.prepare(
    "UPDATE reservations SET state = :state, reason = :reason, ended_at = :now WHERE id = :id AND state = 'active'",
  );
  const move = database.prepare(
    'UPDATE accounts SET reserved = reserved - :amount, balance = balance + :amount - :charged, spent = spent + :charged, ' +
      'reserved_at = CASE WHEN reserved = :amount THEN NULL ELSE reserved_at END WHERE id = :payer',
  );
  const charge = database.prepare(
    'INSERT INTO charges (id, reservation, account, amount, marker, at) VALUES (:chargeId, :id, :account, :charged, :marker, :now)',
  );
  return (input: SettleInput): SettleResult =>
    inTransaction(database, () => {
      const row = find.get(input.id) as Row | undefined;
      if (!row) return { settled: false, charged: 0 };
      const now = wallMs();
      // More than was reserved may be owed; never more than the payer has.
      const charged = Math.min(input.cost, row.amount + row.balance);
      end.run({ id: input.id, state: charged > 0 ? 'charged' : 'released', reason: input.reason, now });
      move.run({ amount: row.amount, charged, payer: row.payer });
      if (charged > 0) charge.run({ chargeId: randomUUID(), id: input.id, account: row.payer, charged, marker: row.marker, now });
      return { settled: true, charged };
    });
};
