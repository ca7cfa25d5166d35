// A provider that dies in the middle of its answer: the chunked body never gets its last chunk.
import { textOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition, CloseKind } from '../behaviour.ts';
import { pacedEvents, pacedFields } from '../pacing.ts';

export const definition: BehaviourDefinition = {
  kind: 'truncated',
  about: 'some events, then the connection ends before the message does',
  fields: {
    $bare: 'how',
    options: {
      ...pacedFields(3),
      how: { type: 'choice', about: 'what ends the connection', choices: ['fin', 'rst'], default: 'fin' },
    },
  },
  example: { events: 3, how: 'fin' },
  program: (options) => [
    { do: 'head', status: 200 },
    pacedEvents(options),
    { do: 'close', how: textOption(options, 'how') as CloseKind },
  ],
};
