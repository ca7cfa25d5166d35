// The command line, made from the definitions of its commands. Problems are shown here, once and alike.
import { Command, CommanderError } from 'commander';
import { EXIT, exitCodeOf } from '../model/exit-code.ts';
import { problemsOf } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { renderProblem } from '../model/render-problem.ts';
import { examples } from './command.ts';
import type { CommandDefinition, Terminal } from './command.ts';
import { commands } from './commands.ts';
import { packageVersion } from './package-version.ts';
import { hideSecrets } from './secret-terminal.ts';

type Chosen = { readonly definition: CommandDefinition; readonly args: readonly string[]; readonly options: Record<string, unknown> };

const createProgram = (terminal: Terminal, choose: (chosen: Chosen) => void): Command => {
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
  for (const definition of commands) {
    const command = configure(definition.define(program));
    command.showHelpAfterError(`(hangup ${command.name()} --help shows its options)`).action((...args: unknown[]) => {
      const own = args.at(-1) as Command;
      choose({ definition, args: own.args, options: own.opts() });
    });
  }
  return program;
};

/** A fault of our own is shown with where it came from, so that a report of it is worth something. */
const traceOf = (one: Problem): string =>
  one.family === 'harness' && one.cause instanceof Error ? `${one.cause.stack?.split('\n').slice(1, 8).join('\n') ?? ''}\n` : '';

/** @returns the exit code; problems are shown, not thrown */
export const runCommand = async (argv: readonly string[], given: Terminal): Promise<number> => {
  const { terminal, end } = hideSecrets(given, argv);
  let chosen: Chosen | undefined;
  try {
    const program = createProgram(terminal, (made) => {
      chosen = made;
    });
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    program.parse([...argv], { from: 'user' });
    if (!chosen) return EXIT.usage;
    const body = await chosen.definition.load();
    const code = await body(terminal, chosen.args, chosen.options);
    // A command that is too short to be stopped says nevertheless that it was to be.
    return terminal.signal.aborted && code !== EXIT.usage && !chosen.definition.codeSaysAll ? EXIT.interrupted : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
    if (terminal.signal.aborted && error === terminal.signal.reason) return EXIT.interrupted;
    const problems = problemsOf(error);
    for (const one of problems) terminal.writeError(`${renderProblem(one)}\n${traceOf(one)}`);
    return terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(problems);
  } finally {
    end();
  }
};
