// `hangup judge`: its options and its help.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { examples, show } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('judge <bundle>')
    .summary('judge a bundle again, with nothing running')
    .description('Reads the evidence of a run and judges it again. The verdicts are the same, byte for byte.')
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .addHelpText('after', examples(['hangup judge evidence/latest/disconnect-endless-how-fin']));

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const [{ judgeBundle }, { wantsColour }] = await Promise.all([import('./judge.ts'), import('../reports/reporter.ts')]);
    return async (terminal, [folder], { strict }) =>
      show(
        terminal,
        await judgeBundle(resolve(terminal.cwd, folder!), {
          strict: strict === true,
          hasColour: wantsColour(terminal.isTerminal, terminal.environment),
        }),
      );
  },
};
