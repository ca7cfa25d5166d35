// The two ways in which money goes back without its owner: a stale reservation, and an aggregate that no
// reservation explains. Neither ever takes what somebody else still holds.
import type { DatabaseSync } from 'node:sqlite';
import type { Active, Residue } from './look.ts';
import { inTransaction } from './schema.ts';

export const createRelease = (database: DatabaseSync, wallMs: () => number) => {
  // The guard on lease_at: a renewal that came between looking and releasing wins.
  const end = database.prepare(
    "UPDATE reservations SET state = 'released', reason = 'lease-expired', ended_at = :now " +
      "WHERE id = :id AND state = 'active' AND lease_at = :leaseAt",
  );
  const findOthers = database.prepare("SELECT id, amount FROM reservations WHERE payer = ? AND state = 'active'");
  const findReserved = database.prepare('SELECT reserved FROM accounts WHERE id = ?');
  const giveBack = database.prepare(
    'UPDATE accounts SET reserved = reserved - :amount, balance = balance + :amount, ' +
      'reserved_at = CASE WHEN reserved = :amount THEN NULL ELSE reserved_at END WHERE id = :payer',
  );
  /**
   * Where the rows of an account hold more than it has reserved, somebody's money is missing. It is missed by the
   * row that is tried first, so that the others go back.
   *
   * @param failed rows that could not be given back in this pass
   * @throws Error when the account would be left with less than its other rows hold
   */
  return ({ id, payer, amount, lease_at: leaseAt }: Active, failed: readonly { readonly id: string }[]): boolean =>
    inTransaction(database, () => {
      if (end.run({ id, leaseAt, now: wallMs() }).changes === 0) return false;
      const others = findOthers.all(payer) as { id: string; amount: number }[];
      const held = others.filter((other) => !failed.some((each) => each.id === other.id)).reduce((sum, other) => sum + other.amount, 0);
      const account = findReserved.get(payer) as { reserved: number } | undefined;
      if (!account || account.reserved - amount < held) {
        throw new Error(`${amount} cannot be given back: account ${payer} has ${account?.reserved ?? 0} reserved, other rows hold ${held}`);
      }
      giveBack.run({ amount, payer });
      return true;
    });
};

/** Only the surplus goes back, never what a sibling holds. */
export const createRepair = (database: DatabaseSync) => {
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
