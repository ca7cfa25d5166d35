// Looks at everything that holds money, and remembers for how long it has not moved.
import type { DatabaseSync } from 'node:sqlite';
import type { Place } from './place.ts';
import { inTransaction } from './schema.ts';

/** An active reservation; `owned` is 1 while the instance that made it may still be there. */
export type Active = {
  readonly id: string;
  readonly payer: string;
  readonly amount: number;
  readonly started_at: number;
  readonly lease_at: number;
  readonly owned: 0 | 1;
};

/** An account that has more reserved than its active rows hold: left by older versions. */
export type Residue = { readonly id: string; readonly reserved: number; readonly reserved_at: number | null; readonly held: number };

export const createLook = (database: DatabaseSync, { leases, residues }: Place) => {
  const findActive = database.prepare(
    'SELECT id, payer, amount, started_at, lease_at, EXISTS (SELECT 1 FROM instances i WHERE i.id = r.instance) AS owned ' +
      "FROM reservations r WHERE state = 'active' ORDER BY lease_at",
  );
  const findResidues = database.prepare(
    'SELECT a.id, a.reserved, a.reserved_at, coalesce(sum(r.amount), 0) AS held FROM accounts a ' +
      "LEFT JOIN reservations r ON r.payer = a.id AND r.state = 'active' " +
      'WHERE a.reserved > 0 GROUP BY a.id HAVING a.reserved > held',
  );
  const residuesNow = (): readonly Residue[] => findResidues.all() as Residue[];
  /** Under the write lock, which proves that others can renew: what does not move then does not move by itself. */
  const all = (): readonly Active[] =>
    inTransaction(database, () => {
      const rows = findActive.all() as Active[];
      leases.look(rows);
      residues.look(residuesNow().flatMap(({ id, reserved_at: at }) => (at === null ? [] : [{ id, lease_at: at }])));
      return rows;
    });
  return { all, residuesNow };
};
