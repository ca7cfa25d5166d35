// `hangup inspect`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { length } from './run-options.ts';

const define = (program: Command): Command =>
  program
    .command('inspect')
    .summary('what holds the money of one account in a live ledger')
    .description(
      'Looks at a live ledger, read-only, for a while: is the reservation still being renewed, or is it stale and not ' +
        'released? Starts nothing, asks the system nothing, writes nothing. Says what it is and where to look next.',
    )
    .requiredOption('--system <card>', 'the card that says how its ledger is read: a name below images/ or a path')
    .requiredOption('--account <id>', "the account's id as the ledger has it; never a key")
    .addOption(new Option('--for <time>', 'how long: at least two renewals').argParser(length('--for')).default(110_000, '110s'))
    .option('--ledger <file>', 'where the ledger lies, where the card says it only for a stage')
    .addOption(new Option('--lease <time>', "the live system's lease, where the card has that of a test").argParser(length('--lease')))
    .addOption(new Option('--renewal <time>', "the live system's heartbeat").argParser(length('--renewal')))
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        [
          'hangup inspect --system ./card.yaml --account 5f2c --for 110s --ledger /var/lib/router/ledger.db',
          'hangup inspect --system reference-router --account acme --for 10s --ledger ledger.db --lease 300s',
        ],
        '0 nothing is reserved, 1 something is, and what it is, 2 undecided, 3 the ledger cannot be read, 4 usage',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { inspect, toInspectOptions } = await import('./inspect.ts');
    return (terminal, _, flags) => inspect(terminal, toInspectOptions(flags));
  },
};
