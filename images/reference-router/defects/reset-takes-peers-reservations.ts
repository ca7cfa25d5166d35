// Whoever starts believes to be alone: nothing can be going on yet, so all that is reserved is a leftover.
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

export const defect: Defect = {
  name: 'reset-takes-peers-reservations',
  about: 'every reservation is released at the start, those of running instances as well',
  apply: (behaviour) => ({
    ...behaviour,
    onStart: (config) => {
      besideLedger(config.ledger, (database) => {
        database.prepare("UPDATE reservations SET state = 'released', reason = 'reset', ended_at = ? WHERE state = 'active'")
          .run(Date.now());
        database.exec('UPDATE accounts SET balance = balance + reserved, reserved = 0, reserved_at = NULL WHERE reserved > 0');
      });
      return behaviour.onStart(config);
    },
  }),
};
