// `hangup explain`: its options and its help. They are those of `run` that decide what is run, since it explains just that.
import { Option } from 'commander';
import type { Command } from 'commander';
import { examples } from './command.ts';
import type { CommandDefinition } from './command.ts';
import type { ExplainOptions } from './explain.ts';
import { axis, axisOf, pair, splitList } from './run-options.ts';
import type { RunFlags } from './run-options.ts';

export type ExplainFlags = Pick<RunFlags, 'runtime' | 'system' | 'defect' | 'var' | 'tag' | 'where' | 'axis'> & { readonly json?: boolean };

export const toExplainOptions = (paths: readonly string[], flags: ExplainFlags): ExplainOptions => ({
  paths,
  runtime: flags.runtime,
  system: flags.system ?? null,
  defects: flags.defect ?? [],
  variables: flags.var ?? {},
  tags: flags.tag ?? [],
  where: flags.where ?? {},
  axes: flags.axis ?? {},
  json: flags.json ?? false,
});

const define = (program: Command): Command =>
  program
    .command('explain <paths...>')
    .summary('what a run would do, wait for and conclude, before anything is started')
    .description(
      'Says for each scenario how long its phases take and why, what is done at which mark, how fast the probes must be, and of each ' +
        'claim what must have been seen, what violates it, what leaves it open, or why it does not apply. Starts nothing.',
    )
    .addOption(
      new Option('--runtime <kind>', 'as if run there; auto takes docker if an engine answers and a card has images')
        .choices(['auto', 'docker', 'process'])
        .default('auto'),
    )
    .option('--system <card>', 'this system instead: a name below images/ or the path of a card')
    .addOption(new Option('--defect <names>', 'with these defects (a,b) or a preset planted').argParser(splitList))
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addOption(new Option('--tag <tags>', 'only scenarios with one of these tags (a,b)').argParser(splitList))
    .addOption(new Option('--where <axis=values>', 'only these cells of a matrix, e.g. how=rst,fin; repeatable').argParser(axis))
    .addOption(new Option('--axis <name=values>', 'at these values of an axis of its system, as run takes them; repeatable').argParser(axisOf('--axis', 'version=1.2,1.3')))
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        [
          'hangup explain scenarios/disconnect/endless.yaml --where how=rst',
          'hangup explain scenarios/disconnect/silent.yaml --system ./their-card.yaml',
          'hangup explain scenarios/disconnect/endless.yaml --defect ignores-disconnect --json',
        ],
        '0 explained, 3 no such runtime, 4 usage or invalid scenario, 5 nothing matched',
      ),
    );

export const definition: CommandDefinition = {
  define,
  load: async () => {
    const { explain } = await import('./explain.ts');
    return (terminal, paths, flags) => explain(terminal, toExplainOptions(paths, flags as ExplainFlags));
  },
};
