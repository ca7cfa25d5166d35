// `hangup report`: its options and its help.
import type { Command } from 'commander';
import { Option } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { splitList } from './run-options.ts';

const define = (program: Command): Command =>
  program
    .command('report <bundles...>')
    .summary('render the pages of old bundles again')
    .description(
      'Renders bundles (folders, archives, or folders of bundles) by the code of today: the page of one run, or of several an index ' +
        'with a page for each. Nothing is written into a bundle: pages lie beside it, or in hangup-report where a run has left its own ' +
        'index; their paths are printed.',
    )
    .addOption(new Option('--format <kinds>', 'html, markdown, junit, ctrf, json, tap; several (a,b) are allowed (default: html)').argParser(splitList))
    .option('--output <path>', 'this file, a folder where there are several pages, or - for standard output')
    .addHelpText(
      'after',
      examples(
        [
          'hangup report evidence/latest/disconnect-endless-how-fin',
          'hangup report evidence/latest --format html,junit --output public',
          'hangup report good.zip bad.zip --output both',
          'hangup report evidence/latest/disconnect-endless-how-fin --format markdown --output -',
        ],
        '0 rendered, whatever became of the runs; 3 a file cannot be written; 4 for what is no bundle or was changed',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { report } = await import('./report.ts');
    return (terminal, paths, { format, output }) =>
      report(terminal, { paths, formats: [...new Set((format as readonly string[] | undefined) ?? ['html'])], output: (output as string | undefined) ?? null });
  },
};
