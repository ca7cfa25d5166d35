// The logs of a bundle, as far as people read them: the end of each, whole lines. And when their lines came, where the
// writer could tell (`<name>.times.tsv`).
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from './format.ts';
import { parseTimes, TIMES_ENDING } from './log-times.ts';
import type { LineTime } from './log-times.ts';

/** `firstLine`: so many lines before the text are left out. */
export type ReadLog = { readonly name: string; readonly text: string; readonly firstLine: number; readonly times: readonly LineTime[] };

const MAXIMUM_CHARACTERS = 2 * 1024 * 1024;
const ENDING = '.log';

const countLines = (text: string): number => text.split('\n').length - 1;

/** The end of a file, cut at a line; how many lines were cut away is counted, since times are by line. */
const readEnd = async (path: string): Promise<{ readonly text: string; readonly firstLine: number }> => {
  const text = await readFile(path, 'utf8');
  if (text.length <= MAXIMUM_CHARACTERS) return { text, firstLine: 0 };
  const cut = text.indexOf('\n', text.length - MAXIMUM_CHARACTERS) + 1;
  return { text: text.slice(cut), firstLine: countLines(text.slice(0, cut)) };
};

/** In the order of their names; none where the bundle has no such folder. */
export const readLogs = async (folder: string): Promise<readonly ReadLog[]> => {
  const entries = await readdir(join(folder, FILES.logs), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return Promise.all(names.filter((name) => name.endsWith(ENDING)).sort().map(async (file) => {
    const name = file.slice(0, -ENDING.length);
    const times = names.includes(name + TIMES_ENDING) ? await readFile(join(folder, FILES.logs, name + TIMES_ENDING), 'utf8') : '';
    return { name, ...(await readEnd(join(folder, FILES.logs, file))), times: parseTimes(times) };
  }));
};
