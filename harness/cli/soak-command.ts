// `hangup soak`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { jobs, pattern, seed } from './option-values.ts';
import { axis, length, pair, size, splitList } from './run-options.ts';
import type { SoakFlags } from './soak-options.ts';

const live = (value: string): number | 'none' => (value === 'none' ? value : length('--live')(value));

const withSelection = (command: Command): Command =>
  command
    .optionsGroup('What is run:')
    .option('--system <card>', 'judge this system instead: a name below images/ or the path of a card')
    .addOption(new Option('--defect <names>', 'plant defects (a,b) or a preset in a reference system').argParser(splitList))
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addOption(new Option('--tag <tags>', 'only scenarios with one of these tags (a,b)').argParser(splitList))
    .addOption(new Option('--where <axis=values>', 'only these cells of a matrix, e.g. how=rst,fin, and no scenario without that axis; repeatable').argParser(axis))
    .addOption(new Option('--grep <pattern>', 'only cells whose id or name this regular expression finds').argParser(pattern('--grep')));

const define = (program: Command): Command =>
  withSelection(
    program
      .command('soak [paths...]')
      .summary('run scenarios all night, and say in the morning what is new')
      .description(
        'Runs scenarios in turns, in an order that the seed decides, for as long as --for says; what has begun by then is ended. One system ' +
          'is driven again and again beside them. Keeps the first and the last bundle of each scenario and all that were not passed (of ' +
          'errors of one kind the first five of a scenario), within --keep-disk. Then writes soak.html, soak.md and soak.json: what is ' +
          'new, flaky rates, whether memory, descriptors, sockets, what is reserved or lag grow, of the system and of hangup itself. ' +
          'history.ndjson in the output folder is what the next night compares with. SIGTERM or Ctrl-C ends the night early and in order.',
      ),
  )
    .optionsGroup('How long, and how:')
    .addOption(new Option('--for <time>', 'how long, for example 20m or 8h (default: 8h)').argParser(length('--for')))
    .addOption(new Option('--live <time>', 'how long one system is driven again and again at a time; none: not at all (default: 15m)').argParser(live))
    .addOption(new Option('--seed <number>', 'decides the order, and times given as a range (default: any)').argParser(seed))
    .addOption(new Option('--jobs <number>', 'runs side by side at most: a number, 50% of what auto takes, or auto').argParser(jobs))
    .addOption(
      new Option('--runtime <kind>', 'where actors and systems run; auto takes docker if an engine answers and a card has images')
        .choices(['auto', 'docker', 'process'])
        .default('auto'),
    )
    .addOption(
      new Option('--secret <name=value>', 'a value for ${secret.name} of a card, which never reaches the disk; repeatable').argParser(
        pair('--secret', 'token=abcd'),
      ),
    )
    .option('--dry-run', 'shows what would be run, in the order of the first round, and starts nothing')
    .optionsGroup('What is kept and said:')
    .option('--output <folder>', 'where nights and their history go (default: evidence/soak)')
    .addOption(
      new Option('--keep-disk <size>', 'as much of all nights at most, pages and all; plain passes go first, violations last (default: 2GiB)').argParser(size('--keep-disk')),
    )
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .addHelpText(
      'after',
      examples(
        [
          'hangup soak --for 8h',
          'hangup soak scenarios/disconnect --system ./their-card.yaml --for 45m --keep-disk 500MiB',
          'hangup soak --tag A1 --for 20m --seed 7 --jobs 4 --runtime process',
          'hangup soak --for 10h --live 2h --output /var/lib/hangup',
        ],
        '0 every scenario had its turn and passed, and nothing grows; 1 something failed, or something of the system grows; 2 inconclusive, or a ' +
          'scenario had no turn; 3 an error, no room to go on, or hangup itself grows; 4 usage or invalid scenario; 5 nothing applied or matched; 130 told to stop before anything was judged',
      ),
    );

export const definition: CommandDefinition = {
  define,
  codeSaysAll: true,
  load: async () => {
    const { soak } = await import('./soak.ts');
    const { toSoakOptions } = await import('./soak-options.ts');
    return (terminal, paths, flags) => soak(terminal, toSoakOptions(paths, flags as SoakFlags));
  },
};
