// `hangup validate`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { pair } from './run-options.ts';

const define = (program: Command): Command =>
  program
    .command('validate [paths...]')
    .summary('check scenario files and cards, start nothing')
    .description('Reports every problem of every file at once: where, what, and how to put it right.')
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addHelpText('after', examples(['hangup validate', 'hangup validate scenarios/disconnect my-scenario.yaml']));

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ validate }, { registries }] = await Promise.all([import('./validate.ts'), import('../scenario/registries.ts')]);
    return async (terminal, paths, { var: variables }) =>
      show(terminal, await validate(paths, { registries, variables: (variables ?? {}) as Record<string, string> }));
  },
};
