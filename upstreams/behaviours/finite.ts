// A provider as it should be: some events, the usage, the end mark, the end of the message.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'finite',
  about: 'a number of events, then usage, end mark and the end of the message',
  fields: {
    $bare: 'events',
    options: {
      events: { type: 'integer', about: 'data events', default: 5, minimum: 0 },
      every: { type: 'duration', about: 'pause after each event', default: '20ms', minimum: 0 },
    },
  },
  example: { events: 5, every: '20ms' },
  program: (options) => [
    { do: 'head', status: 200 },
    {
      do: 'repeat',
      times: numberOption(options, 'events'),
      body: [{ do: 'event' }, { do: 'wait', ms: numberOption(options, 'every') }],
    },
    { do: 'usage' },
    { do: 'end-mark' },
    { do: 'finish' },
  ],
};
