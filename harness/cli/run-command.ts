// `hangup run`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { reporterHelp } from './choose-reporters.ts';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { jobs, keep, pattern, seed, shard } from './option-values.ts';
import { axis, axisOf, MOST_ATTEMPTS, pair, positive, size, splitList, toRunOptions } from './run-options.ts';
import type { RunFlags } from './run-options.ts';

const withSelection = (command: Command): Command =>
  command
    .optionsGroup('What is run:')
    .option('--system <card>', 'judge this system instead: a name below images/ or the path of a card')
    .addOption(
      new Option(
        '--defect <names>',
        'plant defects (a,b) or a preset in a reference system, and run the scenarios that name them',
      ).argParser(splitList),
    )
    .addOption(
      new Option('--axis <name=values>', "runs every cell over these values of an axis of its system: a,b, a range a..b, or '*'; repeatable").argParser(
        axisOf('--axis', 'version=1.2,1.3'),
      ),
    )
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addOption(new Option('--tag <tags>', 'only scenarios with one of these tags (a,b)').argParser(splitList))
    .addOption(new Option('--where <axis=values>', 'only these cells of a matrix, e.g. how=rst,fin, and no scenario without that axis; repeatable').argParser(axis))
    .addOption(new Option('--grep <pattern>', 'only cells whose id or name this regular expression finds').argParser(pattern('--grep')))
    .addOption(new Option('--grep-invert <pattern>', 'no cells whose id or name it finds').argParser(pattern('--grep-invert')))
    .option('--last-failed', 'only what did not pass in the last run, as the output folder has it (last-run.json)')
    .addOption(new Option('--shard <k/n>', 'only this part of the cells, so that n machines share them; auto asks the CI').argParser(shard))
    .option('--durations <file>', 'how long each cell took, by which shards are balanced (default: of the output folder)');

const withHow = (command: Command): Command =>
  command
    .optionsGroup('How it is run:')
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
    .addOption(new Option('--jobs <number>', 'runs side by side at most: a number, 50% of what auto takes, or auto; memory and locks make it fewer (a { read: name } lock is shared in this command, and taken in turns with others)').argParser(jobs))
    .addOption(new Option('--repeat <number>', 'runs each scenario this often; every attempt is shown (default: 1)').argParser(positive('--repeat', 100_000)))
    .option('--until-failure', `goes on with attempts until something fails, at most --repeat of them (default then: ${MOST_ATTEMPTS})`)
    .addOption(new Option('--max-failures <number>', 'begins nothing more after so many failures').argParser(positive('--max-failures')))
    .addOption(
      new Option('--seed <number>', 'decides times given as a range (100ms..900ms), and the order with --shuffle (default: any)').argParser(seed),
    )
    .option('--shuffle', 'in an order that the seed decides, not in that of the files')
    .addOption(
      new Option('--keep [when]', 'leaves the first system that was caught (or, with always, the first) up, and says how to attach')
        .preset('violated')
        .argParser(keep),
    )
    .option('--dry-run', 'shows what would be run, in which order and at which times, and starts nothing');

const withEvidence = (command: Command): Command =>
  command
    .optionsGroup('What is kept and said:')
    .option('--output <folder>', 'where bundles go (default: evidence)')
    .addOption(
      new Option('--evidence <kind>', 'none keeps nothing on the disk: verdicts only, which are the same').choices(['full', 'none']).default('full'),
    )
    .option('--pcap', "also keeps the packets of each stage (capture/stage.pcap): raw bytes, secrets included")
    .addOption(new Option('--pcap-limit <size>', 'as much of them at most, for example 512KiB (default: 64MiB)').argParser(size('--pcap-limit')))
    .addOption(new Option('--reporter <kinds>', reporterHelp()).argParser(splitList))
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .option('--git-bisect', 'exit codes for git bisect run: 0 good, 1 bad, 125 cannot be tested, 128 stops it')
    .option('--symptom <what>', 'with --git-bisect: only this violation is bad; a claim, a fingerprint, or the bundle of a run that failed');

const define = (program: Command): Command =>
  withEvidence(withHow(withSelection(
    program
      .command('run [paths...]')
      .summary('run scenarios and judge what was recorded')
      .description(
        'Runs scenario files (or folders of them; without any, all of them), each in a stage of its own, and ' +
          'judges what was recorded. Every run leaves a bundle of evidence.',
      ),
  ))).addHelpText(
    'after',
    examples(
      [
        'hangup run',
        'hangup run scenarios/disconnect/endless.yaml --where how=rst',
        'hangup run --tag A1 --defect ignores-disconnect',
        'hangup run scenarios/disconnect/endless.yaml --system ./their-card.yaml',
        'hangup run --axis version=1.2,1.3 --grep endless',
        'hangup run --runtime process --output /tmp/evidence',
        'hangup run --reporter terminal,github,junit=out/junit.xml',
        'hangup run --last-failed --max-failures 3',
        'hangup run scenarios/disconnect --until-failure --repeat 500 --jobs 4',
        'hangup run scenarios/disconnect --shuffle --seed 4711 --dry-run',
        'hangup run scenarios/disconnect/endless.yaml --defect ignores-disconnect --keep',
        'hangup run --shard 2/5',
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
