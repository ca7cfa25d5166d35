// A provider that begins to answer and then says nothing more, with its connection open.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'silent',
  about: 'one event, then nothing; the connection stays open',
  fields: {
    $bare: 'events',
    options: { events: { type: 'integer', about: 'data events before the silence', default: 1, minimum: 0 } },
  },
  example: { events: 1 },
  program: (options) => [
    { do: 'head', status: 200 },
    { do: 'repeat', times: numberOption(options, 'events'), body: [{ do: 'event' }] },
    { do: 'wait-forever' },
  ],
};
