// Which instances may still own reservations. Whoever reserves is entered with its first row and takes
// itself out when it stops; one that was killed stays until the last of its rows has been given back.
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './schema.ts';

export type Instances = {
  /** To be called inside the transaction that reserves. */
  readonly enter: (now: number) => void;
  readonly leave: () => void;
  /** Takes out those that own nothing. */
  readonly tidy: () => void;
};

export const createInstances = (database: DatabaseSync, instance: string): Instances => {
  const enter = database.prepare('INSERT OR IGNORE INTO instances (id, entered_at) VALUES (?, ?)');
  const leave = database.prepare('DELETE FROM instances WHERE id = ?');
  const idle = "id NOT IN (SELECT instance FROM reservations WHERE state = 'active' AND instance IS NOT NULL)";
  const hasIdle = database.prepare(`SELECT 1 FROM instances WHERE ${idle} LIMIT 1`);
  const removeIdle = database.prepare(`DELETE FROM instances WHERE ${idle}`);
  return {
    enter: (now) => void enter.run(instance, now),
    leave: () => inTransaction(database, () => void leave.run(instance)),
    // Looked at first: mostly there is none, and a look takes no lock.
    tidy: () => void (hasIdle.get() && inTransaction(database, () => removeIdle.run())),
  };
};
