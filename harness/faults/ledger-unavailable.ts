// The ledger is gone for a while, for whoever has it open and whoever comes; then it is there again, with all that was in it.
import { numberOption } from '../model/fields.ts';
import type { FaultDefinition } from './fault.ts';
import { holdLedger } from './hold.ts';

export const definition: FaultDefinition = {
  kind: 'ledger-unavailable',
  about: 'Every access to the ledger fails, reading and writing, that of the probe too; the process is not touched.',
  fields: {
    $bare: 'for',
    options: { for: { type: 'duration', ranged: true, about: 'How long. A `mark` of the fault is set when it was back.', minimum: 1 } },
  },
  example: '2s',
  needs: () => ['ledger'],
  fire: async (context, options) =>
    `the ledger was unavailable for ${await holdLedger(context, 'ledger-unavailable', numberOption(options, 'for'))}`,
};
