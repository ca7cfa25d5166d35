// Lets an upstream come to its end: what it has open is completed as a good answer.
import { textOption } from '../model/fields.ts';
import { countOf } from './count.ts';
import type { FaultDefinition } from './fault.ts';
import { ofClient, ONE_CLIENT } from './of-client.ts';

export const definition: FaultDefinition = {
  kind: 'upstream-finish',
  about: 'Every exchange that is open at the upstream ends as complete: usage, end mark, last chunk.',
  fields: { $bare: 'upstream', options: { upstream: { type: 'upstream', about: 'Which one.' }, client: ONE_CLIENT } },
  example: 'model',
  fire: async (context, options) => {
    const upstream = textOption(options, 'upstream');
    const { which, words } = ofClient(options);
    return `${upstream} finished ${countOf(await context.upstream('finish', upstream, which))} open exchanges${words}`;
  },
};
