// Gives back what nobody renews any more, whoever reserved it. Each row is a transaction of its own:
// one that cannot be released must not hold up the others.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, isBusy } from './schema.ts';

export type SweepInput = {
  readonly leaseMs: number;
  /** Only what this account pays for; null: everything. */
  readonly payer: string | null;
};
export type SweepResult = {
  readonly released: readonly string[];
  /** Accounts whose aggregate held more than their active rows explain. */
  readonly repaired: readonly string[];
  readonly failed: readonly { readonly id: string; readonly error: string }[];
};

type Row = { id: string; payer: string; amount: number; lease_at: number };
type Residue = { id: string; reserved: number; reserved_at: number | null; held: number };

const BATCH = 1_000;

const createRelease = (database: DatabaseSync) => {
  // The guard on lease_at: a renewal that came between looking and releasing wins.
  const end = database.prepare(
    "UPDATE reservations SET state = 'released', reason = 'lease-expired', ended_at = :now " +
      "WHERE id = :id AND state = 'active' AND lease_at = :leaseAt",
  );
  const giveBack = database.prepare(
    'UPDATE accounts SET reserved = reserved - :amount, balance = balance + :amount, ' +
      'reserved_at = CASE WHEN reserved = :amount THEN NULL ELSE reserved_at END WHERE id = :payer',
  );
  return (row: Row): boolean =>
    inTransaction(database, () => {
      if (end.run({ id: row.id, leaseAt: row.lease_at, now: Date.now() }).changes === 0) return false;
      giveBack.run({ amount: row.amount, payer: row.payer });
      return true;
    });
};

/** An aggregate without a row: left by older versions. Only the surplus goes back, never what a sibling holds. */
const createRepair = (database: DatabaseSync) => {
  const giveBack = database.prepare(
    'UPDATE accounts SET reserved = :held, balance = balance + :surplus ' +
      'WHERE id = :id AND reserved = :reserved AND reserved_at IS :reservedAt',
  );
  return (residue: Residue): boolean =>
    inTransaction(database, () => {
      const { id, reserved, held } = residue;
      return giveBack.run({ id, reserved, held, surplus: reserved - held, reservedAt: residue.reserved_at }).changes > 0;
    });
};

export const createSweep = (database: DatabaseSync) => {
  const findStale = database.prepare(
    'SELECT id, payer, amount, lease_at FROM reservations ' +
      "WHERE state = 'active' AND lease_at < :cutoff AND (:payer IS NULL OR payer = :payer) " +
      `ORDER BY lease_at LIMIT ${BATCH}`,
  );
  const findResidues = database.prepare(
    'SELECT a.id, a.reserved, a.reserved_at, coalesce(sum(r.amount), 0) AS held FROM accounts a ' +
      "LEFT JOIN reservations r ON r.payer = a.id AND r.state = 'active' " +
      'WHERE a.reserved > 0 AND (a.reserved_at IS NULL OR a.reserved_at < :cutoff) AND (:payer IS NULL OR a.id = :payer) ' +
      `GROUP BY a.id HAVING a.reserved > held LIMIT ${BATCH}`,
  );
  const release = createRelease(database);
  const repair = createRepair(database);
  return ({ leaseMs, payer }: SweepInput): SweepResult => {
    const cutoff = Date.now() - leaseMs;
    const failed: { id: string; error: string }[] = [];
    const isolated = <T extends { id: string }>(each: (item: T) => boolean) => (item: T): boolean => {
      try {
        return each(item);
      } catch (error) {
        if (isBusy(error)) throw error;
        failed.push({ id: item.id, error: error instanceof Error ? error.message : String(error) });
        return false;
      }
    };
    const released = (findStale.all({ cutoff, payer }) as Row[]).filter(isolated(release)).map((row) => row.id);
    const repaired = (findResidues.all({ cutoff, payer }) as Residue[]).filter(isolated(repair)).map((row) => row.id);
    return { released, repaired, failed };
  };
};
