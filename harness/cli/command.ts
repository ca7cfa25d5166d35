// The contract of a command: everything it may touch is handed in, what it returns is the exit code.

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
};
