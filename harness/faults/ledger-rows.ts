// Writes reservations that nobody owns into the ledger: what a sweeper is for.
import { randomBytes } from 'node:crypto';
import { numberOption, textOption } from '../model/fields.ts';
import type { FaultDefinition, LedgerRow } from './fault.ts';

export const definition: FaultDefinition = {
  kind: 'ledger-rows',
  about: "Adds reservations with a stale lease, and their aggregate, to a client's account in one transaction.",
  fields: {
    options: {
      account: { type: 'client', about: 'The client whose account it is.' },
      amount: { type: 'integer', about: 'Reserved by each row.', default: 100, minimum: 1 },
      'lease-age': { type: 'duration', about: 'How long ago the lease was.', default: '10 leases' },
      'started-age': {
        type: 'duration',
        about: 'How long ago it was started; as long as the lease where not given.',
        optional: true,
      },
      count: { type: 'integer', about: 'How many rows.', default: 1, minimum: 1 },
    },
  },
  example: { account: 'alice', amount: 250, 'lease-age': '30s', count: 2 },
  needs: ['ledger'],
  fire: async (context, options) => {
    const client = textOption(options, 'account');
    const account = context.accountOf(client);
    if (account === null) throw new Error(`client ${client} has no account in the ledger`);
    if (context.facts.ledger?.hasReservations !== true) throw new Error("the card's ledger has no reservations");
    const leaseAgeMs = numberOption(options, 'lease-age');
    const startedAgeMs = options['started-age'] === undefined ? leaseAgeMs : numberOption(options, 'started-age');
    const amount = numberOption(options, 'amount');
    const group = randomBytes(4).toString('hex');
    const wallMs = Date.now();
    const rows = Array.from({ length: numberOption(options, 'count') }, (_, at): LedgerRow => ({
      id: `added-${group}-${at + 1}`,
      account,
      amount,
      leaseAtMs: Math.round(wallMs - leaseAgeMs),
      startedAtMs: Math.round(wallMs - startedAgeMs),
    }));
    await context.writeRows(rows);
    context.timeline.note({ type: 'ledger-rows', reservations: rows.map(({ id }) => id), account });
    return `${rows.length} reservations of ${amount} added to ${client}'s account, lease ${Math.round(leaseAgeMs)} ms old`;
  },
};
