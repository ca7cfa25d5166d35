// `hangup bisect`: its options and its help.
import { Option } from 'commander';
import type { Command } from 'commander';
import { confidence, repeated, searchAxis, toBisectOptions } from './bisect-options.ts';
import type { BisectFlags } from './bisect-options.ts';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import { jobs } from './option-values.ts';
import { axis, pair, positive, splitList } from './run-options.ts';

const HOW = `
Both ends are run first. What the bad end violates and the good end does not is the symptom that
is looked for: the same claim, violated for the same reason. A version with another symptom is
"other" and never bad; one that cannot be built, or twice does not start, is "untestable" (in a run
it is an error: a search has to go on beside it, a run is asked about it); one without a verdict
is run again a few times, then counts for nothing. A violation that the card lists as known is
looked for like any other. Faults that come and go are run often enough to be sure.

Everything lies in <output>/bisect-<scenario>-<system>-<axis>/ (a card that is not below images/
has six digits after its name, since others may be called the same): bisect.json (the whole
search), index.html (open it now, it follows), result.md, result.json, comparison.html, and a
bundle of every run. The same command goes on where it was cut off, and refuses where scenario,
card, axis, variables, the commit of a branch, the image of a tag or hangup itself have changed.`;

const withQuestion = (command: Command): Command =>
  command
    .optionsGroup('What is looked for:')
    .option('--system <card>', 'on this system: a name below images/ or the path of a card')
    .addOption(new Option('--where <axis=values>', 'which cell of the scenario, e.g. how=fin; repeatable').argParser(axis))
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenario; repeatable').argParser(pair('--var', 'events=5')))
    .addOption(new Option('--defect <names>', 'with these planted defects everywhere').argParser(splitList))
    .addOption(
      new Option('--axis <name>', 'along this axis, or along these values of it (version=1.0,1.1); two of them: the minimal pair (default: version)').argParser(searchAxis),
    )
    .addOption(new Option('--good <value>', 'a value without the fault; of two axes each: --good version=1.0 (default: the first of values that --axis lists, else it must be named or looked for)').argParser(repeated))
    .addOption(new Option('--bad <value>', 'a value with it; of two axes each (default: the last)').argParser(repeated))
    .option('--find-good', 'looks for a good one by itself, backwards from the bad one in growing steps')
    .option('--symptom <what>', 'a claim, a fingerprint, or the bundle of a run that failed (default: what the ends differ in)');

const withHow = (command: Command): Command =>
  command
    .optionsGroup('How it is looked for:')
    .addOption(new Option('--confidence <share>', 'stops when it is this sure').argParser(confidence).default(0.95))
    .addOption(new Option('--max-probes <number>', 'runs at most').argParser(positive('--max-probes')).default(300))
    .addOption(new Option('--end-runs <number>', 'runs of the bad end in which something must have been seen: 10 show a failure rate of 26 %, 60 one of 5 %').argParser(positive('--end-runs')).default(10))
    .addOption(new Option('--jobs <number>', 'runs side by side at most: a number, 50% of what auto takes, or auto: as processors allow, 4 at most (default: auto)').argParser(jobs))
    .addOption(new Option('--runtime <kind>', 'where actors and systems run').choices(['auto', 'docker', 'process']).default('auto'))
    .addOption(new Option('--secret <name=value>', 'a value for ${secret.name} of the card; repeatable').argParser(pair('--secret', 'token=abcd')))
    .option('--output <folder>', 'where the folder of the search goes (default: evidence)')
    .option('--dry-run', 'shows what would be searched, and starts nothing')
    .option('--fresh', 'begins anew, and keeps an earlier search of the same name beside it');

const define = (program: Command): Command =>
  withHow(withQuestion(
    program
      .command('bisect <scenario>')
      .summary('find the version that broke it')
      .description('Finds the first value of an ordered axis (versions, commits, images, settings, a list) at which a scenario shows a fault.'),
  ))
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      examples(
        [
          'hangup bisect scenarios/disconnect/endless.yaml --where how=fin --system ./their-card.yaml --good 1.2.0 --bad 1.9.3',
          'hangup bisect scenarios/disconnect/endless.yaml --where how=fin --system ./their-card.yaml --find-good',
          'hangup bisect leak.yaml --system ./card.yaml --axis setting.lifetime=1s,2s,5s,10s',
          'hangup bisect leak.yaml --system ./card.yaml --axis version --axis starlette --good version=0.20.0 --good starlette=0.30.0',
          'hangup bisect leak.yaml --system ./card.yaml --good v1 --bad v9 --symptom upstream-closed --confidence 99.9% --jobs 4',
        ],
        '0 one value was found, 1 there is nothing to find (the ends do not differ, or no good value), 2 it could not be narrowed down to one ' +
          '(untestable values, the budget, an end without verdict), 3 environment or harness error, 4 usage, or a search that has changed, 5 no claim applies, ' +
          '130 interrupted: the same command goes on',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { bisect } = await import('./bisect.ts');
    return (terminal, [path], flags) => bisect(terminal, toBisectOptions(path!, flags as unknown as BisectFlags));
  },
};
