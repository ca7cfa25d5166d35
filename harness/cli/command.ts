// The contract of a command: everything it may touch is handed in, what it returns is the exit code. Each command is one
// file that says its options and its help, and names the file of its body, which is loaded when it is asked for.
import type { Command } from 'commander';
import type { Secrets } from '../bundle/secrets.ts';
import type { CommandOutput } from './output.ts';

export type Terminal = {
  /** The words after the command's name, for the record. */
  readonly argv: readonly string[];
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted by the first Ctrl-C; the second ends the process. */
  readonly signal: AbortSignal;
  /** What `write` and `writeError` hide, and everybody else who writes. */
  readonly secrets: Secrets;
};

/** @returns the exit code; problems are thrown and shown by the program */
export type Body = (terminal: Terminal, args: readonly string[], options: Record<string, unknown>) => Promise<number>;

export type CommandDefinition = {
  /** Told to stop it still has a result: its exit code is that, and not that it was interrupted. */
  readonly codeSaysAll?: boolean;
  /** Adds the command with its options and its help. */
  readonly define: (program: Command) => Command;
  /** What is needed to run it and not for its help: a cold start costs by what is loaded. */
  readonly load: () => Promise<Body>;
};

/** As wide as commander sets the rest of the help where nothing is known of the terminal. */
const WIDTH = 100;

const wrapped = (text: string): string =>
  text
    .split(/\s+/)
    .reduce<string[]>((lines, word) => {
      const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
      return longer.length <= WIDTH ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, [])
    .join('\n');

/** What stands below the options. */
export const examples = (lines: readonly string[], codes?: string): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n${codes === undefined ? '' : `\n${wrapped(`Exit codes: ${codes}.`)}\n`}`;

/** Shows what a command that only reads gives back. */
export const show = (terminal: Terminal, { exitCode, output }: CommandOutput): number => {
  terminal.write(output);
  return exitCode;
};
