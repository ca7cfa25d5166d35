// A provider that is restarted: for a while nobody can connect, and what is open goes on.
import { numberOption, textOption } from '../model/fields.ts';
import type { FaultDefinition } from './fault.ts';
import { holdFor } from './hold.ts';

export const definition: FaultDefinition = {
  kind: 'upstream-refuse',
  about: 'New connections to the upstream are refused for a while (its listener is closed); open ones are not touched.',
  fields: {
    options: {
      upstream: { type: 'upstream', about: 'Which one.' },
      for: { type: 'duration', ranged: true, about: 'How long. A `mark` of the fault is set when it listens again.', minimum: 1 },
    },
  },
  example: { upstream: 'model', for: '2s' },
  fire: async (context, options) => {
    const name = textOption(options, 'upstream');
    const { upstream } = context;
    const took = await holdFor(context, numberOption(options, 'for'), () => upstream('refuse', name), () => upstream('admit', name));
    return `${name} refused connections for ${took}`;
  },
};
