// One search at a time in one folder: two would write over each other's answers. The lock is the kernel's: it goes with its holder,
// however that ends, and nobody can take it from under somebody else.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { problem } from '../model/problem.ts';
import { createMachineLocks } from '../plan/machine-locks.ts';

/**
 * Taken until it is disposed of, or this process ends; whatever becomes of the folder, it is of that path.
 * @param folder is there
 * @throws ProblemError `bisect-running`
 */
export const lockFolder = async (folder: string): Promise<Disposable> => {
  const locks = createMachineLocks();
  if (locks === null) return { [Symbol.dispose]: () => {} };
  const name = `bisect-${createHash('sha256').update(await realpath(folder)).digest('hex')}`;
  const asked = new AbortController();
  const taken = await locks.take([name], asked.signal);
  if ('release' in taken) return { [Symbol.dispose]: taken.release };
  asked.abort();
  throw problem('scenario', 'bisect-running', `${taken.holder} is at work on this search in ${folder}`, {
    hint: 'wait for it, end it, or give another folder with --output',
  });
};
