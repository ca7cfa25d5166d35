// `hangup doctor`: its options and its help.
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('doctor')
    .summary('what this machine can do, and what stands in the way')
    .description('Checks Node, the engine, namespaces, limits and disk, with a hint for each that is missing.')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['hangup doctor']));

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { doctor } = await import('./doctor.ts');
    return async (terminal, _, { json }) => show(terminal, await doctor({ json: json === true }));
  },
};
