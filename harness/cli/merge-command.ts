// `hangup merge`: its options and its help.
import { Option } from 'commander';
import { reporterHelp } from './choose-reporters.ts';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { splitList } from './run-options.ts';

type Flags = { readonly output: string; readonly reporter?: readonly string[] };

export const definition: CommandDefinition = {
  define: (program) =>
    program
      .command('merge <folders...>')
      .summary('make one run of the shards of a plan')
      .description(
        'Makes one folder, one index and one exit code of what `hangup run --shard` has left, as if all of it had been run here. ' +
          'Folders may hold several shards, some way below, and may be zip archives; links to folders are followed, but in no bundle. It refuses shards that are missing, there twice, ' +
          'of another plan, not over, unsealed or changed, and says all of that at once.',
      )
      .requiredOption('--output <folder>', 'the folder that is made; it must not be there, or be empty, and lies in none that is merged')
      .addOption(new Option('--reporter <kinds>', reporterHelp()).argParser(splitList))
      .addHelpText(
        'after',
        examples(
          ['hangup merge shards --output merged', 'hangup merge shard-1 shard-2.zip --output merged --reporter terminal,html,junit=out/junit.xml'],
          'those of the whole run: 0 passed, 1 failed, 2 inconclusive, 3 environment or harness error, 4 usage, or shards that are not one plan, 5 nothing applied, 130 interrupted',
        ),
      ),
  load: async () => {
    const { merge } = await import('./merge.ts');
    return (terminal, paths, flags) => {
      const { output, reporter } = flags as Flags;
      return merge(terminal, { paths, output, reporters: reporter ?? null });
    };
  },
};
