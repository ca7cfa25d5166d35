// A request that is given up is released at once, but its upstream is read on; when that comes to its end,
// what it has cost is charged on a reservation that has been given back.
import { randomUUID } from 'node:crypto';
import { costOf } from '../exchange/exchange.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Reason } from '../exchange/reasons.ts';
import { besideLedger } from '../ledger/beside.ts';
import type { Defect } from './defect.ts';

const COMPLETE: readonly Reason[] = ['finished', 'upstream-failed', 'upstream-refused', 'shutdown'];

const chargeLate = ({ id, facts, services }: Exchange): void =>
  besideLedger(services.config.ledger, (database) => {
    const find = database.prepare('SELECT r.payer, a.balance FROM reservations r JOIN accounts a ON a.id = r.payer WHERE r.id = ?');
    const row = find.get(id) as
      | { payer: string; balance: number }
      | undefined;
    const cost = Math.min(costOf(facts, services.config), row?.balance ?? 0);
    if (!row || cost === 0) return;
    database.prepare('UPDATE accounts SET balance = balance - ?, spent = spent + ? WHERE id = ?').run(cost, cost, row.payer);
    database.prepare("UPDATE reservations SET state = 'charged', reason = 'finished', ended_at = ? WHERE id = ?").run(Date.now(), id);
    database.prepare('INSERT INTO charges SELECT ?, id, payer, ?, marker, ended_at FROM reservations WHERE id = ?')
      .run(randomUUID(), cost, id);
  });

export const defect: Defect = {
  name: 'charges-after-release',
  about: 'a request that is left or timed out is released and read on, and charged when its upstream finishes',
  apply: (behaviour) => {
    const given = new WeakMap<Exchange, Promise<void>>();
    return {
      ...behaviour,
      owed: (exchange, reason, cost) => (COMPLETE.includes(reason) ? behaviour.owed(exchange, reason, cost) : 0),
      onEnd: (exchange, reason, steps) => {
        if (COMPLETE.includes(reason) || exchange.facts.upstreamEnded) return behaviour.onEnd(exchange, reason, steps);
        exchange.delivers = false;
        steps.tellClient();
        exchange.upstream?.resume();
        const settled = steps.settle();
        given.set(exchange, settled);
        return settled;
      },
      onEndedAgain: (exchange, reason) => {
        behaviour.onEndedAgain(exchange, reason);
        const settled = given.get(exchange);
        if (!settled || !exchange.facts.upstreamEnded) return;
        given.delete(exchange);
        void settled.then(() => chargeLate(exchange));
      },
    };
  },
};
