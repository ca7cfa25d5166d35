// A provider as it should be: some events, the usage, the end mark, the end of the message.
import type { BehaviourDefinition } from '../behaviour.ts';
import { pacedEvents, pacedFields } from '../pacing.ts';

export const definition: BehaviourDefinition = {
  kind: 'finite',
  about: 'a number of events, then usage, end mark and the end of the message',
  fields: { $bare: 'events', options: pacedFields(5) },
  example: { events: 5, every: '20ms' },
  program: (options) => [
    { do: 'head', status: 200 },
    pacedEvents(options),
    { do: 'usage' },
    { do: 'end-mark' },
    { do: 'finish' },
  ],
};
