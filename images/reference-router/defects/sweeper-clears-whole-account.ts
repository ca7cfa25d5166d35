// "This account has something stale" is taken for "this account is stale".
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

const clear = (path: string, accounts: readonly string[]): void =>
  besideLedger(path, (database) => {
    const release = database.prepare(
      "UPDATE reservations SET state = 'released', reason = 'account-cleared', ended_at = ? WHERE payer = ? AND state = 'active'",
    );
    const empty = database.prepare(
      'UPDATE accounts SET balance = balance + reserved, reserved = 0, reserved_at = NULL WHERE id = ?',
    );
    for (const account of accounts) {
      release.run(Date.now(), account);
      empty.run(account);
    }
  });

export const defect: Defect = {
  name: 'sweeper-clears-whole-account',
  about: 'whatever is stale on an account, all that it has reserved is released, live requests included',
  apply: (behaviour) => ({
    ...behaviour,
    onSwept: (services, result) => {
      behaviour.onSwept(services, result);
      const accounts = new Set([...result.released.map(({ payer }) => payer), ...result.repaired]);
      if (accounts.size > 0) clear(services.config.ledger, [...accounts]);
    },
    onLost: () => undefined,
  }),
};
