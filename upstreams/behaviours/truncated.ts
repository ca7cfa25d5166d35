// A provider that dies in the middle of its answer: the chunked body never gets its last chunk.
import { numberOption, textOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition, CloseKind } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'truncated',
  about: 'some events, then the connection ends before the message does',
  fields: {
    $bare: 'how',
    options: {
      events: { type: 'integer', about: 'data events before the cut', default: 3, minimum: 0 },
      every: { type: 'duration', about: 'pause after each event', default: '20ms', minimum: 0 },
      how: { type: 'choice', about: 'what ends the connection', choices: ['fin', 'rst'], default: 'fin' },
    },
  },
  example: { events: 3, how: 'fin' },
  program: (options) => [
    { do: 'head', status: 200 },
    {
      do: 'repeat',
      times: numberOption(options, 'events'),
      body: [{ do: 'event' }, { do: 'wait', ms: numberOption(options, 'every') }],
    },
    { do: 'close', how: textOption(options, 'how') as CloseKind },
  ],
};
