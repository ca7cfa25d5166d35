// One soak for each output folder: two would take room from one another, and remove what the other has just kept.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { problem } from '../model/problem.ts';
import { createMachineLocks } from '../plan/machine-locks.ts';
import type { Taken } from '../plan/machine-locks.ts';
import { makeOutput } from '../plan/session.ts';

const FREE: Taken = { release: () => {} };

/** @param root is made where it is not there @throws ProblemError `soak-under-way`, `output-not-writable` */
export const lockNights = async (root: string): Promise<Taken> => {
  await makeOutput(root);
  const name = `soak-${createHash('sha256').update(await realpath(root)).digest('hex').slice(0, 16)}`;
  // Where the system has no such names, nobody can be told.
  const asked = new AbortController();
  const taken = (await createMachineLocks()?.take([name], asked.signal).catch(() => FREE)) ?? FREE;
  if ('release' in taken) return taken;
  // Nobody waits for it: the connection would keep this process until the other has ended.
  asked.abort();
  throw problem('environment', 'soak-under-way', `${taken.holder} soaks into ${root} already`, { hint: 'wait until it has ended, or give another --output' });
};
