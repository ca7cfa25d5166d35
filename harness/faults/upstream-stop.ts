// Takes an upstream away by force, as when its process dies.
import { textOption } from '../model/fields.ts';
import { countOf } from './count.ts';
import type { FaultDefinition } from './fault.ts';

export const definition: FaultDefinition = {
  kind: 'upstream-stop',
  about: 'All connections of the upstream are reset and its listener is closed.',
  fields: { $bare: 'upstream', options: { upstream: { type: 'upstream', about: 'Which one.' } } },
  example: 'model',
  fire: async (context, options) => {
    const upstream = textOption(options, 'upstream');
    return `${upstream} stopped, ${countOf(await context.upstream('stop', upstream))} connections reset`;
  },
};
