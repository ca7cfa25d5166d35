// `hangup run --git-bisect`: the exit codes that `git bisect run` understands.
import { problem } from '../model/problem.ts';
import type { CellResult } from '../plan/run-cell.ts';
import type { Terminal } from './command.ts';
import type { RunOptions } from './run-options.ts';

/** What a run came to: the exit code that it would have by itself, and each result. */
export type Ran = { readonly code: number; readonly results: readonly CellResult[] };

/**
 * @param work throws what keeps it from running anything
 * @throws ProblemError `bad-option`
 */
export const asGitBisect = async (
  _terminal: Terminal,
  { gitBisect }: Pick<RunOptions, 'gitBisect' | 'symptom'>,
  work: () => Promise<Ran>,
): Promise<number> => {
  if (!gitBisect) return (await work()).code;
  throw problem('scenario', 'bad-option', '--git-bisect is not in this version of hangup', { hint: 'leave it out' });
};
