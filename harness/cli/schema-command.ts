// `hangup schema`: its options and its help.
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('schema')
    .summary('the JSON Schema of scenario files, for editors')
    .description('Prints the JSON Schema (draft-07) of scenario files, of the fragments that they use, or of system cards.')
    .option('--card', 'the schema of system cards')
    .option('--fragment', 'the schema of fragments')
    .addHelpText('after', examples(['hangup schema > docs/scenario.schema.json', 'hangup schema --card', 'hangup schema --fragment']));

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ schema }, { registries }] = await Promise.all([import('./schema.ts'), import('../scenario/registries.ts')]);
    return async (terminal, _, { card, fragment }) =>
      show(terminal, await schema({ registries, card: card === true, fragment: fragment === true }));
  },
};
