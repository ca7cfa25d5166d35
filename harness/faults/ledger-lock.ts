// Somebody else has the ledger's write lock for a while, as a backup or a long transaction would.
import { numberOption } from '../model/fields.ts';
import type { FaultDefinition } from './fault.ts';
import { holdLedger } from './hold.ts';

export const definition: FaultDefinition = {
  kind: 'ledger-lock',
  about: 'A write lock on the ledger is held from beside the system: who reads goes on (WAL), who writes waits.',
  fields: { $bare: 'for', options: { for: { type: 'duration', ranged: true, about: 'How long. A `mark` of the fault is set when it was let go.', minimum: 1 } } },
  example: '2s',
  needs: () => ['ledger'],
  fire: async (context, options) => `the ledger was locked for ${await holdLedger(context, 'ledger-lock', numberOption(options, 'for'))}`,
};
