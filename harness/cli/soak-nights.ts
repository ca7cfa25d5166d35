// Earlier nights of the same output folder: what they have kept takes room too, and goes before what is newer.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../bundle/format.ts';
import type { Resolved, Verdicts } from '../bundle/format.ts';
import type { SoakNight, Worth } from '../model/soak.ts';
import { bytesBelow, ownBytes } from '../plan/soak/disk.ts';
import { HISTORY_FILE } from '../plan/soak/history.ts';
import type { Kept } from '../plan/soak/shelf.ts';
import { worthOf } from '../plan/soak/tally.ts';
import { nightsIn } from '../plan/soak/so-far.ts';
import { statusOf } from '../reports/status.ts';
import { summarise } from '../reports/summary.ts';

export const NIGHT_FILE = 'soak.json';

const bundlesOf = async (night: string): Promise<ReadonlyMap<string, Worth>> => {
  const text = await readFile(join(night, NIGHT_FILE), 'utf8').catch(() => null);
  try {
    const { cells } = JSON.parse(text ?? '') as SoakNight;
    return new Map(cells.flatMap(({ kept }) => kept.map(({ folder, worth }) => [folder, worth] as const)));
  } catch {
    // A night that was killed has left no list: its bundles are asked themselves.
    return new Map();
  }
};

const read = async <T>(folder: string, file: string): Promise<T> => JSON.parse(await readFile(join(folder, file), 'utf8')) as T;

/** As the night has counted it, or would have. What has no verdicts was cut off: an error of its own. */
const worthIn = async (folder: string): Promise<Worth> => {
  try {
    const [verdicts, { run }] = await Promise.all([read<Verdicts>(folder, FILES.verdicts), read<Resolved>(folder, FILES.resolved)]);
    return worthOf(statusOf(summarise({ verdicts, run, tookMs: 0, folder })));
  } catch {
    return 'error';
  }
};

/**
 * Every bundle of nights, the oldest first.
 * @param root of all nights; the one that begins is not there yet. @returns also what else lies there, bytes: pages, the history, folders
 */
export const earlierNights = async (root: string): Promise<{ readonly kept: readonly Kept[]; readonly pagesBytes: number }> => {
  const kept: Kept[] = [];
  let pagesBytes = (await ownBytes(root)) + (await bytesBelow(join(root, HISTORY_FILE)));
  for (const name of await nightsIn(root)) {
    const night = join(root, name);
    const known = await bundlesOf(night);
    let bundlesBytes = 0;
    for (const group of await readdir(join(night, 'runs')).catch(() => [])) {
      const groupBytes = await ownBytes(join(night, 'runs', group));
      const bundles = await readdir(join(night, 'runs', group)).catch(() => []);
      if (bundles.length > 0) bundlesBytes += groupBytes;
      for (const bundle of bundles) {
        const folder = join(night, 'runs', group, bundle);
        const bytes = await bytesBelow(folder);
        kept.push({ folder, bytes, groupBytes, worth: known.get(`runs/${group}/${bundle}`) ?? (await worthIn(folder)), order: kept.length });
        bundlesBytes += bytes;
      }
    }
    pagesBytes += (await bytesBelow(night)) - bundlesBytes;
  }
  return { kept, pagesBytes };
};
