// `hangup rerun`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import type { RerunFlags } from './rerun.ts';
import { pair } from './run-options.ts';

const HOW = `
Scenario, card, variables, place in the matrix, planted defects and runtime are those of the bundle.
What is not as it was (the card, hangup, versions of what is installed, images, settings) is said
before anything is started. Files that lie beside a card are in no bundle but by their hashes: where
the system needs them, put them beside a copy of the bundle's system.yaml, and name that by --system.
Secrets are in none. A card says which commands are run: of a bundle that a stranger made, read
system.yaml first, or name a card of your own by --system.`;

const define = (program: Command): Command =>
  program
    .command('rerun <bundle>')
    .summary('run the scenario of a bundle again as it was, and compare the verdicts')
    .description(
      'Runs the scenario that a bundle (a folder, or an archive of one) holds once more, and compares what is judged claim by claim.',
    )
    .addOption(
      new Option('--secret <name=value>', 'a value for ${secret.name} of the card, as for a run; repeatable').argParser(
        pair('--secret', 'token=abcd'),
      ),
    )
    .addOption(new Option('--var <name=value>', 'the value of a variable that was hidden in the evidence; repeatable').argParser(pair('--var', 'note=abcd')))
    .option('--system <card>', 'with this card, as it is now, in place of the one of then')
    .addOption(new Option('--runtime <kind>', 'on this runtime in place of the one of then').choices(['docker', 'process']))
    .option('--output <folder>', 'where the new bundle goes (default: evidence)')
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      examples(
        [
          'hangup rerun evidence/latest/disconnect-endless-how-rst',
          'hangup rerun disconnect-endless-how-rst.hangup.zip --output /tmp/evidence',
          'hangup rerun their.hangup.zip --system ./their-fixed-card.yaml',
        ],
        '0 the same outcome and claims, 1 they differ, 2 the run of then was not judged, so there is nothing to compare, or the system cannot be had any more (untestable), 3 environment or harness error, 4 not a bundle, one that was changed, or one that cannot be run again, 5 nothing applies, 130 interrupted',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { rerun, toRerunOptions } = await import('./rerun.ts');
    return (terminal, [bundle], flags) => rerun(terminal, toRerunOptions(bundle!, flags as RerunFlags));
  },
};
