// What went wrong when evidence could not be written, in words that say what to do.
import { isDiskFull, messageOf, problem, ProblemError } from '../model/problem.ts';

export const bundleExists = (folder: string, cause?: unknown): ProblemError =>
  problem('environment', 'bundle-exists', `${folder} exists already, and a bundle is never written over`, {
    hint: 'name another folder with --output, or remove that one', cause,
  });

/** One problem for whatever the file system said. */
export const toWriteProblem = (error: unknown, folder: string): ProblemError => {
  if (error instanceof ProblemError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' && syscall === 'mkdir') {
    return bundleExists(folder, error);
  }
  if (isDiskFull(error)) {
    return problem('environment', 'disk-full', `no space left on the disk of ${folder}; what was recorded so far is kept there`, {
      hint: 'make room, or write elsewhere with --output', cause: error,
    });
  }
  return problem('environment', 'bundle-not-written', `${folder} cannot be written: ${messageOf(error)}`, {
    hint: 'check that the folder can be written to, or name another with --output', cause: error,
  });
};
