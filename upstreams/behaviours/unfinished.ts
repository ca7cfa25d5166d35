// A provider that has said everything, end mark included, and then does not end the message: what is left to do is the
// system's finalising, with the connection still open.
import type { BehaviourDefinition } from '../behaviour.ts';
import { pacedEvents, pacedFields } from '../pacing.ts';

export const definition: BehaviourDefinition = {
  kind: 'unfinished',
  about: 'a number of events, then usage and end mark, but never the end of the message',
  fields: { $bare: 'events', options: pacedFields(5) },
  example: { events: 5, every: '20ms' },
  program: (options) => [
    { do: 'head', status: 200 },
    pacedEvents(options),
    { do: 'usage' },
    { do: 'end-mark' },
    { do: 'wait-forever' },
  ],
};
