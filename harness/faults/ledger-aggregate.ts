// Money that is reserved and that no reservation accounts for: what an older version, or a crash between two writes, leaves.
import { numberOption } from '../model/fields.ts';
import { formatMs } from '../model/time.ts';
import { accountOf } from './accounts.ts';
import type { FaultDefinition } from './fault.ts';

export const definition: FaultDefinition = {
  kind: 'ledger-aggregate',
  about: "Moves an amount from a client's balance to what its account has reserved, without a reservation for it.",
  fields: {
    options: {
      account: { type: 'client', about: 'The client whose account it is.' },
      amount: { type: 'integer', about: 'How much.', default: 100, minimum: 1 },
      age: {
        type: 'duration',
        choices: ['none'],
        about: 'How long ago the account says that it was reserved; `none`: it does not say.',
        default: '10 leases',
      },
    },
  },
  example: { account: 'alice', amount: 250, age: 'none' },
  needs: () => ['ledger-aggregate'],
  fire: async (context, options) => {
    const { client, account } = accountOf(context, options);
    const amount = numberOption(options, 'amount');
    const ageMs = options.age === 'none' ? null : numberOption(options, 'age');
    const aggregate = { account, amount, reservedAtMs: ageMs === null ? null : Math.round(Date.now() - ageMs) };
    await context.writeLedger([{ aggregate }]);
    context.timeline.note({ type: 'ledger-aggregate', ...aggregate });
    return `${amount} reserved on ${client}'s account without a reservation, ${ageMs === null ? 'undated' : `${formatMs(ageMs)} old`}`;
  },
};
