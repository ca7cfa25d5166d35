// A provider that never stops of itself: the case in which a forgotten stream costs money for ever.
import { numberOption } from '../../harness/model/fields.ts';
import type { BehaviourDefinition } from '../behaviour.ts';

export const definition: BehaviourDefinition = {
  kind: 'endless',
  about: 'an event every so often, for ever',
  fields: {
    $bare: 'every',
    options: { every: { type: 'duration', about: 'pause after each event', default: '100ms', minimum: 1 } },
  },
  example: { every: '100ms' },
  program: (options) => [
    { do: 'head', status: 200 },
    { do: 'repeat', times: 'forever', body: [{ do: 'event' }, { do: 'wait', ms: numberOption(options, 'every') }] },
  ],
};
