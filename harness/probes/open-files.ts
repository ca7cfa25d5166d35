// How much the system keeps in files, by the descriptors that it holds: what was unlinked as soon as it
// was made, as temporary files are, is in no folder and shows nowhere else.
import { readdirSync, statSync } from 'node:fs';

const BLOCK_BYTES = 512;
/** Of descriptors that were closed, and of processes that ended or that we may not look into. */
const UNSEEN = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

const orUnseen = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && UNSEEN.has(String(error.code))) return undefined;
    throw error;
  }
};

/**
 * How many descriptors the processes have open.
 * @returns undefined where those of none can be seen
 */
export const openDescriptors = (root: string, pids: readonly number[]): number | undefined => {
  const counts = pids.flatMap((pid) => orUnseen(() => readdirSync(`${root}/${pid}/fd`).length) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
};

/**
 * Bytes on disk of every regular file that one of the processes has open, each file once.
 * @returns undefined where the descriptors of none can be seen
 */
export const openFileBytes = (root: string, pids: readonly number[]): number | undefined => {
  const files = new Map<string, number>();
  let isSeen = false;
  for (const pid of pids) {
    const folder = `${root}/${pid}/fd`;
    const descriptors = orUnseen(() => readdirSync(folder));
    isSeen ||= descriptors !== undefined;
    for (const descriptor of descriptors ?? []) {
      const stat = orUnseen(() => statSync(`${folder}/${descriptor}`));
      if (stat?.isFile()) files.set(`${stat.dev}:${stat.ino}`, stat.blocks * BLOCK_BYTES);
    }
  }
  return isSeen ? [...files.values()].reduce((sum, bytes) => sum + bytes, 0) : undefined;
};
