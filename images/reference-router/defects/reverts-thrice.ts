// The handler of the disconnect, the one of the upstream's error and the finaliser each give back what was
// reserved, and none of them asks whether that has been done. What is reserved cannot fall below what others
// hold, so it is the balance that grows.
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

const FURTHER = 2;

const revertAgain = (path: string, reservation: string): void =>
  besideLedger(path, (database) => {
    const again = database.prepare(
      'UPDATE accounts SET balance = balance + r.amount FROM reservations r ' +
        "WHERE r.id = ? AND r.state = 'released' AND accounts.id = r.payer",
    );
    for (let n = 0; n < FURTHER; n += 1) again.run(reservation);
  });

export const defect: Defect = {
  name: 'reverts-thrice',
  about: 'a request that its client leaves before the upstream has answered gives its reservation back three times',
  apply: (behaviour) => ({
    ...behaviour,
    settle: async (exchange, reason, settle) => {
      await behaviour.settle(exchange, reason, settle);
      if (reason === 'client-left' && exchange.facts.headAtMs === null) revertAgain(exchange.services.config.ledger, exchange.id);
    },
  }),
};
