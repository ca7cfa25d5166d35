// What went wrong that is not a verdict: a stable code, one line, a hint, where, and why.
// Input problems are collected and thrown together; a violated expectation is never a Problem.

/**
 * scenario: the user's files or arguments (exit 4). environment: engine, images, ports, the system
 * not starting (exit 3). harness: our own fault (exit 3).
 */
export type ProblemFamily = 'scenario' | 'environment' | 'harness';

export type Location = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line itself with a caret below, as shown to the user. */
  readonly excerpt?: string;
};

export type Problem = {
  readonly family: ProblemFamily;
  /** Stable and kebab-case, e.g. `engine-unreachable`; documented in docs/problems.md. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly location?: Location;
  readonly cause?: unknown;
};

/** Carries one or more problems through code that can only throw. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: Problem | readonly Problem[]) {
    const list = 'code' in problems ? [problems] : problems;
    super(list.map((problem) => problem.message).join('; '), { cause: list[0]?.cause });
    this.name = 'ProblemError';
    this.problems = list;
  }
}

/** Shorthand for throwing a single problem. */
export const problem = (
  family: ProblemFamily,
  code: string,
  message: string,
  extra: Partial<Pick<Problem, 'hint' | 'location' | 'cause'>> = {},
): ProblemError => new ProblemError({ family, code, message, ...extra });

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Of the disk, or of what somebody may have of it. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

const problemOf = (error: unknown): Problem =>
  isDiskFull(error)
    ? { family: 'environment', code: 'disk-full', message: `no space left on the disk: ${messageOf(error)}`, hint: 'make room, or write elsewhere with --output', cause: error }
    : { family: 'harness', code: 'unexpected', message: messageOf(error), cause: error };

/** Problems of anything thrown: what is not ours, nor a disk that is full, is a fault of the harness. */
export const problemsOf = (error: unknown): readonly Problem[] => (error instanceof ProblemError ? error.problems : [problemOf(error)]);
