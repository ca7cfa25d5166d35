// The network between one peer and everybody else swallows what is sent, both ways, without a sign.
import { numberOption, textOption } from '../model/fields.ts';
import type { FaultDefinition } from './fault.ts';
import { holdFor } from './hold.ts';

export const definition: FaultDefinition = {
  kind: 'partition',
  about:
    'Nothing gets through from or to an upstream or a client: no data, no FIN, no RST, no new connection. Afterwards ' +
    'each side goes on with what it has unsent when TCP tries again, which takes up to about as long as it lasted.',
  fields: {
    $one: ['upstream', 'client'],
    options: {
      upstream: { type: 'upstream', about: 'The one that is cut off.', optional: true },
      client: { type: 'client', about: 'The one that is cut off.', optional: true },
      for: { type: 'duration', ranged: true, about: 'How long. A `mark` of the fault is set when it is over.', minimum: 1 },
    },
  },
  example: { upstream: 'model', for: '2s' },
  needs: () => ['namespace'],
  fire: async (context, options) => {
    const { timeline, cutAddress, healAddress } = context;
    const kind = options.upstream === undefined ? 'client' : 'upstream';
    const name = `${kind}.${textOption(options, kind)}`;
    const tell = (edge: 'begin' | 'end'): unknown => timeline.note({ type: 'fault-held', fault: 'partition', edge });
    const cut = (): Promise<unknown> => cutAddress(name).then(() => tell('begin'));
    const heal = (): Promise<unknown> => healAddress(name).then(() => tell('end'));
    return `${name} was cut off for ${await holdFor(context, numberOption(options, 'for'), cut, heal)}`;
  },
};
