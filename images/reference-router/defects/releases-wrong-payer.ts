// The reservation is given back to the key that asked, not to the account whose money it was.
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

const misdirect = (path: string, reservation: string): void =>
  besideLedger(path, (database) => {
    const row = database.prepare(
      "SELECT account, payer, amount FROM reservations WHERE id = ? AND state <> 'active' AND account <> payer",
    ).get(reservation) as { account: string; payer: string; amount: number } | undefined;
    if (!row) return;
    const { account, payer, amount } = row;
    database.prepare('UPDATE accounts SET balance = balance - ?, reserved = reserved + ?, reserved_at = ? WHERE id = ?')
      .run(amount, amount, Date.now(), payer);
    database.prepare('UPDATE accounts SET balance = balance + ? WHERE id = ?').run(amount, account);
  });

export const defect: Defect = {
  name: 'releases-wrong-payer',
  about: 'where another account pays, what was reserved goes back to the account that asked',
  apply: (behaviour) => ({
    ...behaviour,
    settle: async (exchange, reason, settle) => {
      await behaviour.settle(exchange, reason, settle);
      misdirect(exchange.services.config.ledger, exchange.id);
    },
  }),
};
