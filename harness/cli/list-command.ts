// `hangup list`: its options and its help.
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('list')
    .summary('what there is: scenarios, cards, behaviours, steps, faults, expectations')
    .description('Lists what can be used in a scenario, with options and an example of each.')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['hangup list', 'hangup list --json']));

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ list }, { registries }] = await Promise.all([import('./list.ts'), import('../scenario/registries.ts')]);
    return async (terminal, _, { json }) => show(terminal, await list({ registries, json: json === true }));
  },
};
