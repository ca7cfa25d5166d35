// The command line: every command with its options and examples. Usage is generated from these
// definitions; each command's body is a file of its own, loaded when it is asked for.
import { Command, CommanderError, Option } from 'commander';
import { resolve } from 'node:path';
import { EXIT, exitCodeOf } from '../model/exit-code.ts';
import { problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { renderProblem } from '../model/render-problem.ts';
import type { Terminal } from './command.ts';
import type { CommandOutput } from './output.ts';
import { defineExplain, toExplainOptions } from './explain-command.ts';
import type { ExplainFlags } from './explain-command.ts';
import { packageVersion } from './package-version.ts';
import { axis, length, pair, positive, splitList, toRunOptions } from './run-options.ts';
import type { RunFlags } from './run-options.ts';

const examples = (lines: readonly string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;

type Body = (terminal: Terminal, args: readonly string[], options: Record<string, unknown>) => Promise<number>;

/** Shows what a command that only reads gives back. */
const show = (terminal: Terminal, { exitCode, output }: CommandOutput): number => {
  terminal.write(output);
  return exitCode;
};

const bodies: Readonly<Record<string, () => Promise<Body>>> = {
  run: async () => {
    const { run } = await import('./run.ts');
    return (terminal, paths, flags) => run(terminal, toRunOptions(paths, flags as RunFlags));
  },
  validate: async () => {
    const [{ validate }, { registries }] = await Promise.all([import('./validate.ts'), import('../scenario/registries.ts')]);
    return async (terminal, paths, { var: variables }) =>
      show(terminal, await validate(paths, { registries, variables: (variables ?? {}) as Record<string, string> }));
  },
  list: async () => {
    const [{ list }, { registries }] = await Promise.all([import('./list.ts'), import('../scenario/registries.ts')]);
    return async (terminal, _, { json }) => show(terminal, await list({ registries, json: json === true }));
  },
  schema: async () => {
    const [{ schema }, { registries }] = await Promise.all([import('./schema.ts'), import('../scenario/registries.ts')]);
    return async (terminal, _, { card, fragment }) =>
      show(terminal, await schema({ registries, card: card === true, fragment: fragment === true }));
  },
  judge: async () => {
    const [{ judgeBundle }, { wantsColour }] = await Promise.all([import('./judge.ts'), import('../reports/reporter.ts')]);
    return async (terminal, [folder], { strict }) =>
      show(
        terminal,
        await judgeBundle(resolve(terminal.cwd, folder!), {
          strict: strict === true,
          hasColour: wantsColour(terminal.isTerminal, terminal.environment),
        }),
      );
  },
  inspect: async () => {
    const { inspect, toInspectOptions } = await import('./inspect.ts');
    return (terminal, _, flags) => inspect(terminal, toInspectOptions(flags));
  },
  explain: async () => {
    const { explain } = await import('./explain.ts');
    return (terminal, paths, flags) => explain(terminal, toExplainOptions(paths, flags as ExplainFlags));
  },
  doctor: async () => {
    const { doctor } = await import('./doctor.ts');
    return async (terminal, _, { json }) => show(terminal, await doctor({ json: json === true }));
  },
};

const defineRun = (program: Command): Command =>
  program
    .command('run [paths...]')
    .summary('run scenarios and judge what was recorded')
    .description(
      'Runs scenario files (or folders of them; without any, all of them), each in a stage of its own, and ' +
        'judges what was recorded. Every run leaves a bundle of evidence.',
    )
    .addOption(
      new Option('--runtime <kind>', 'where actors and systems run; auto takes docker if an engine answers')
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
      new Option('--secret <name=value>', 'a value for ${secret.name} of a card, which never reaches the disk; repeatable').argParser(
        pair('--secret', 'token=abcd'),
      ),
    )
    .addOption(
      new Option('--reporter <kinds>', 'how the outcome is shown: terminal, json, ndjson (default: terminal)').argParser(splitList),
    )
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
      examples([
        'hangup run',
        'hangup run scenarios/disconnect/endless.yaml --where how=rst',
        'hangup run --tag A1 --defect ignores-disconnect',
        'hangup run scenarios/disconnect/endless.yaml --system ./their-card.yaml',
        'hangup run --runtime process --output /tmp/evidence',
      ]) +
        '\nExit codes: 0 passed, 1 failed, 2 inconclusive, 3 environment or harness error, ' +
        '4 usage or invalid\nscenario, 5 nothing applied or matched, 130 interrupted.\n',
    );

const defineInspect = (program: Command): Command =>
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
      examples([
        'hangup inspect --system ./card.yaml --account 5f2c --for 110s --ledger /var/lib/router/ledger.db',
        'hangup inspect --system reference-router --account acme --for 10s --ledger ledger.db --lease 300s',
      ]) + '\nExit codes: 0 nothing is reserved, 1 something is, and what it is, 2 undecided, 3 the ledger cannot be read, 4 usage.\n',
    );

const defineOthers = (program: Command): readonly Command[] => [
  defineExplain(
    program,
    examples([
      'hangup explain scenarios/disconnect/endless.yaml --where how=rst',
      'hangup explain scenarios/disconnect/silent.yaml --system ./their-card.yaml',
      'hangup explain scenarios/disconnect/endless.yaml --defect ignores-disconnect --json',
    ]) + '\nExit codes: 0 explained, 3 no such runtime, 4 usage or invalid scenario, 5 nothing matched.\n',
  ),
  program
    .command('validate [paths...]')
    .summary('check scenario files and cards, start nothing')
    .description('Reports every problem of every file at once: where, what, and how to put it right.')
    .addOption(new Option('--var <name=value>', 'sets a variable of the scenarios; repeatable').argParser(pair('--var', 'events=5')))
    .addHelpText('after', examples(['hangup validate', 'hangup validate scenarios/disconnect my-scenario.yaml'])),
  program
    .command('list')
    .summary('what there is: scenarios, cards, behaviours, steps, faults, expectations')
    .description('Lists what can be used in a scenario, with options and an example of each.')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['hangup list', 'hangup list --json'])),
  program
    .command('schema')
    .summary('the JSON Schema of scenario files, for editors')
    .description('Prints the JSON Schema (draft-07) of scenario files, of the fragments that they use, or of system cards.')
    .option('--card', 'the schema of system cards')
    .option('--fragment', 'the schema of fragments')
    .addHelpText('after', examples(['hangup schema > docs/scenario.schema.json', 'hangup schema --card', 'hangup schema --fragment'])),
  program
    .command('judge <bundle>')
    .summary('judge a bundle again, with nothing running')
    .description('Reads the evidence of a run and judges it again. The verdicts are the same, byte for byte.')
    .option('--strict', 'violations listed as known, and fixed ones, fail too')
    .addHelpText('after', examples(['hangup judge evidence/latest/disconnect-endless-how-fin'])),
  defineInspect(program),
  program
    .command('doctor')
    .summary('what this machine can do, and what stands in the way')
    .description('Checks Node, the engine, namespaces, limits and disk, with a hint for each that is missing.')
    .option('--json', 'as JSON')
    .addHelpText('after', examples(['hangup doctor'])),
];

const createProgram = (
  terminal: Terminal,
  choose: (name: string, args: readonly string[], options: Record<string, unknown>) => void,
): Command => {
  const program = new Command('hangup');
  program
    .description('Reproduces what a streaming proxy or metered gateway does after its client hangs up, and judges it.')
    .version(packageVersion(), '--version', 'prints the version')
    .showHelpAfterError('(hangup --help shows the commands)')
    .addHelpText('after', examples(['hangup run --tag A1', 'hangup run scenarios/disconnect/endless.yaml', 'hangup <command> --help']));
  const configure = (command: Command): Command =>
    command
      .exitOverride()
      .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError, getOutHelpWidth: () => terminal.columns });
  configure(program);
  for (const command of [defineRun(program), ...defineOthers(program)]) {
    configure(command).action((...args: unknown[]) => {
      const own = args.at(-1) as Command;
      choose(own.name(), own.args, own.opts());
    });
  }
  return program;
};

/** A fault of our own is shown with where it came from, so that a report of it is worth something. */
const traceOf = (one: Problem): string =>
  one.family === 'harness' && one.cause instanceof Error ? `${one.cause.stack?.split('\n').slice(1, 8).join('\n') ?? ''}\n` : '';

/** @returns the exit code; problems are shown, not thrown */
export const runCommand = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  let chosen: { name: string; args: readonly string[]; options: Record<string, unknown> } | undefined;
  try {
    const program = createProgram(terminal, (name, args, options) => {
      chosen = { name, args, options };
    });
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    program.parse([...argv], { from: 'user' });
    if (!chosen) return EXIT.usage;
    const body = await bodies[chosen.name]!();
    return await body(terminal, chosen.args, chosen.options);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
    if (terminal.signal.aborted && error === terminal.signal.reason) return EXIT.interrupted;
    const problems = problemsOf(error);
    for (const one of problems) terminal.writeError(`${renderProblem(one)}\n${traceOf(one)}`);
    return terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(problems);
  }
};
