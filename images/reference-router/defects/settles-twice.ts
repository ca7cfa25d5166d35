// A second finaliser with a connection of its own, which knows nothing of the guard on the state.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../ledger/schema.ts';
import type { Defect } from './defect.ts';

const chargeAgain = (path: string, reservation: string): void => {
  const database = new DatabaseSync(path, { timeout: 1_000 });
  inTransaction(database, () => {
    const first = database.prepare('SELECT account, amount FROM charges WHERE reservation = ?').get(reservation) as
      | { account: string; amount: number }
      | undefined;
    if (!first) return;
    const pay = 'UPDATE accounts SET balance = balance - :amount, spent = spent + :amount WHERE id = :account AND balance >= :amount';
    database.prepare(pay).run(first);
    database
      .prepare('INSERT INTO charges SELECT ?, ?, account, amount, marker, at FROM charges WHERE reservation = ?')
      .run(randomUUID(), `${reservation}-again`, reservation);
  });
  database.close();
};

export const defect: Defect = {
  name: 'settles-twice',
  about: 'what has been charged is charged a second time',
  apply: (behaviour) => ({
    ...behaviour,
    settle: async (exchange, reason, settle) => {
      await behaviour.settle(exchange, reason, settle);
      chargeAgain(exchange.services.config.ledger, exchange.id);
    },
  }),
};
