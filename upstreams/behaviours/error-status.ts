// A provider that answers at once with an error and a JSON body, as its API words it.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'error-status',
  about: 'an error status with an error body of the API',
  fields: {
    $bare: 'status',
    options: { status: { type: 'status', about: 'the status', default: 500 } },
  },
  example: { status: 500 },
  program: (options) => [
    { do: 'error', status: numberOption(options, 'status') },
    { do: 'finish' },
  ],
};
