// `hangup open`: its options and its help.
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';

const define = (program: Command): Command =>
  program
    .command('open [bundle]')
    .summary("open a report in the browser")
    .description(
      'Opens the report of a bundle (a folder or an archive), or the index of a folder of bundles; without one that of evidence/latest. ' +
        'BROWSER names another browser. Without a display, and in CI, the address is printed and nothing is opened.',
    )
    .option('--print', 'prints the address only')
    .addHelpText(
      'after',
      examples(
        ['hangup open', 'hangup open evidence/latest/disconnect-endless-how-fin', 'hangup open bundle.zip', 'BROWSER=firefox hangup open'],
        '0 opened or printed, 3 no browser could be started, 4 for what has no report',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { openReport } = await import('./open.ts');
    return (terminal, [path], { print }) => openReport(terminal, { path: path ?? null, print: print === true });
  },
};
