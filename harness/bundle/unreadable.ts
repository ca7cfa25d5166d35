// What is said of a file of a bundle that is not what hangup writes.
import { problem } from '../model/problem.ts';
import type { ProblemError } from '../model/problem.ts';

/** @param what is wrong and where, and nothing of what stands there */
export const unreadable = (file: string, what: string): ProblemError =>
  problem('scenario', 'bundle-damaged', `${file} cannot be read: ${what}`, {
    hint: 'it was not written by hangup as it stands; take the bundle again from where it was made',
  });
