// A provider that answers at once with an error and a JSON body, as APIs do.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

const errorJson = (status: number): string =>
  JSON.stringify({ error: { message: `upstream answers ${status}`, type: 'upstream_error', param: null, code: status } });

export const definition: BehaviourDefinition = {
  kind: 'error-status',
  about: 'an error status with a JSON error body',
  fields: {
    $bare: 'status',
    options: { status: { type: 'status', about: 'the status', default: 500 } },
  },
  example: { status: 500 },
  program: (options) => [
    { do: 'head', status: numberOption(options, 'status'), headers: { 'content-type': 'application/json' } },
    { do: 'body', text: errorJson(numberOption(options, 'status')) },
    { do: 'finish' },
  ],
};
