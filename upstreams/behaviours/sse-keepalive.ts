// A provider that keeps the connection warm and answers nothing: bytes come, progress does not.
// It is what defeats a time-out that counts bytes.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'sse-keepalive',
  about: 'the head, then comments only, for ever',
  fields: {
    $bare: 'every',
    options: {
      every: { type: 'duration', about: 'pause after each comment', default: '200ms', minimum: 1 },
      events: { type: 'integer', about: 'data events before the first comment', default: 0, minimum: 0 },
    },
  },
  example: { every: '200ms' },
  needsComments: true,
  program: (options) => [
    { do: 'head', status: 200 },
    { do: 'repeat', times: numberOption(options, 'events'), body: [{ do: 'event' }] },
    {
      do: 'repeat',
      times: 'forever',
      body: [{ do: 'comment', text: 'keepalive' }, { do: 'wait', ms: numberOption(options, 'every') }],
    },
  ],
};
