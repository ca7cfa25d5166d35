// One search, or one soak, at a time in one folder: two would write over each other's answers, and remove what the other has just kept.
// The lock is the kernel's: it goes with its holder, however that ends, and nobody can take it from under somebody else.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createMachineLocks } from './machine-locks.ts';
import type { Taken } from './machine-locks.ts';

/** Where the system has no such names, nobody can be told. */
const FREE: Taken = { release: () => {} };

/**
 * Taken until it is disposed of, or this process ends; whatever becomes of the folder, it is of that path. Nobody waits for it.
 * @param folder is there
 * @param whenTaken what is thrown, by who has it, such as `another hangup on this machine, process 7`
 */
export const lockFolder = async (use: 'bisect' | 'soak', folder: string, whenTaken: (holder: string) => Error): Promise<Disposable> => {
  const name = `${use}-${createHash('sha256').update(await realpath(folder)).digest('hex')}`;
  const asked = new AbortController();
  const taken = (await createMachineLocks()?.take([name], asked.signal).catch(() => FREE)) ?? FREE;
  if ('release' in taken) return { [Symbol.dispose]: taken.release };
  // The connection at which one would wait keeps this process until the other has ended.
  asked.abort();
  throw whenTaken(taken.holder);
};
