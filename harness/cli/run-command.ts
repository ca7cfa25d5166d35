// `hangup run`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { reporterHelp } from './choose-reporters.ts';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { axis, pair, positive, size, splitList, toRunOptions } from './run-options.ts';
import type { RunFlags } from './run-options.ts';

const define = (program: Command): Command =>
  program
    .command('run [paths...]')
    .summary('run scenarios and judge what was recorded')
    .description(
      'Runs scenario files (or folders of them; without any, all of them), each in a stage of its own, and ' +
        'judges what was recorded. Every run leaves a bundle of evidence.',
    )
    .addOption(
      new Option('--runtime <kind>', 'where actors and systems run; auto takes docker if an engine answers and a card has images')
        .choices(['auto', 'docker', 'process'])
        .default('auto'),
    )
    .option('--system <card>', 'judge this system instead: a name below images/ or the path of a card')
    .addOption(
      new Option(
        '--defect <names>',
        'plant defects (a,b) or a preset in a reference system, and run the scenarios that name them',
      ).argParser(splitList),
    )
    .option('--output <folder>', 'where bundles go (default: evidence)')
    .addOption(
      new Option('--evidence <kind>', 'none keeps nothing on the disk: verdicts only, which are the same').choices(['full', 'none']).default('full'),
    )
    .option('--pcap', "also keeps the packets of each stage (capture/stage.pcap): raw bytes, secrets included")
    .addOption(new Option('--pcap-limit <size>', 'as much of them at most, for example 512KiB (default: 64MiB)').argParser(size('--pcap-limit')))
    .addOption(
      new Option('--secret <name=value>', 'a value for ${secret.name} of a card, which never reaches the disk; repeatable').argParser(
        pair('--secret', 'token=abcd'),
      ),
    )
    .addOption(new Option('--reporter <kinds>', reporterHelp()).argParser(splitList))
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addOption(new Option('--tag <tags>', 'only scenarios with one of these tags (a,b)').argParser(splitList))
    .addOption(new Option('--where <axis=values>', 'only these cells of a matrix, e.g. how=rst,fin; repeatable').argParser(axis))
    .addOption(new Option('--jobs <number>', 'runs side by side at most').argParser(positive('--jobs')))
    .addOption(
      new Option('--repeat <number>', 'runs each scenario this often; every attempt is shown').argParser(positive('--repeat')).default(1),
    )
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .option('--dry-run', 'shows what would be run, and starts nothing')
    .addHelpText(
      'after',
      examples(
        [
          'hangup run',
          'hangup run scenarios/disconnect/endless.yaml --where how=rst',
          'hangup run --tag A1 --defect ignores-disconnect',
          'hangup run scenarios/disconnect/endless.yaml --system ./their-card.yaml',
          'hangup run --runtime process --output /tmp/evidence',
          'hangup run --reporter terminal,github,junit=out/junit.xml',
        ],
        '0 passed, 1 failed, 2 inconclusive, 3 environment or harness error, 4 usage or invalid\nscenario, 5 nothing applied or matched, 130 interrupted',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { run } = await import('./run.ts');
    return (terminal, paths, flags) => run(terminal, toRunOptions(paths, flags as RunFlags));
  },
};
