// A provider that breaks what it is answering and goes on serving: as when one of its processes dies.
import { textOption } from '../model/fields.ts';
import { countOf } from './count.ts';
import type { FaultDefinition } from './fault.ts';
import { ofClient, ONE_CLIENT } from './of-client.ts';

export const definition: FaultDefinition = {
  kind: 'upstream-reset',
  about: 'The connections of exchanges that are open at the upstream are reset (RST); idle ones and its listener stay.',
  fields: { $bare: 'upstream', options: { upstream: { type: 'upstream', about: 'Which one.' }, client: ONE_CLIENT } },
  example: { upstream: 'model', client: 'alice' },
  fire: async (context, options) => {
    const upstream = textOption(options, 'upstream');
    const { which, words } = ofClient(options);
    const count = countOf(await context.upstream('reset', upstream, which));
    // Nothing was provoked then: what follows is not what the scenario is about.
    if (count === 0) throw new Error(`${upstream} had no open exchange${words}`);
    return `${upstream} reset ${count} open exchanges${words}`;
  },
};
