// What a night would leave to the history if it ended now, written after each run: one that is killed, or loses its power, is remembered
// by what it had judged. Written whole each time, so that it is never torn and no longer than the night's lines; taken into the history
// when the night ends, or when the next one begins.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../bundle/atomic.ts';
import { bytesBelow } from './disk.ts';
import { appendHistory, HISTORY_FILE, historyText, parseLine, readHistory } from './history.ts';
import type { History, HistoryLine } from './history.ts';

/** In the folder of the night. */
const SO_FAR_FILE = 'so-far.ndjson';

export type SoFar = {
  /** One writing after the other; what cannot be written is told once, and is no reason to end a night. */
  readonly note: (lines: readonly HistoryLine[]) => Promise<void>;
};

/** @param folder of the night @param tell one line */
export const createSoFar = (folder: string, tell: (line: string) => void): SoFar => {
  let latest: readonly HistoryLine[] = [];
  let writing = Promise.resolve();
  let isTold = false;
  const write = (): Promise<void> =>
    writeAtomically(join(folder, SO_FAR_FILE), historyText(latest), true).catch((error: Error) => {
      if (!isTold) tell(`if it is killed, the history will not know all of this night: ${error.message}`);
      isTold = true;
    });
  return {
    note: (lines) => {
      latest = lines;
      writing = writing.then(write);
      return writing;
    },
  };
};

/** What it takes on the disk, until the night is in the history. */
export const bytesSoFar = (folder: string): Promise<number> => bytesBelow(join(folder, SO_FAR_FILE));

/** The night is in the history. */
export const forgetSoFar = (folder: string): Promise<void> => rm(join(folder, SO_FAR_FILE), { force: true });

/** Names of the folders of nights, the oldest first. */
export const nightsIn = async (root: string): Promise<readonly string[]> =>
  (await readdir(root, { withFileTypes: true }).catch(() => []))
    .flatMap((entry) => (entry.isDirectory() && /^\d{8}-\d{6}-/.test(entry.name) ? [entry.name] : []))
    .sort();

/**
 * The history of the nights of a folder, those included that were cut off before they could write a line of it.
 * @throws ProblemError `history-not-usable`
 */
export const openHistory = async (root: string): Promise<History> => {
  const file = join(root, HISTORY_FILE);
  const history = await readHistory(file);
  const cut: string[] = [];
  for (const night of await nightsIn(root)) {
    const text = await readFile(join(root, night, SO_FAR_FILE), 'utf8').catch(() => null);
    if (text === null) continue;
    // One that was killed between its history and its own end is there already.
    const lines = text.split('\n').flatMap((each) => parseLine(each) ?? []).filter((line) => !history.has(line));
    await appendHistory(file, lines);
    await forgetSoFar(join(root, night));
    if (lines.length > 0) cut.push(`${night} (${lines.reduce((sum, { judged }) => sum + judged, 0)} judged)`);
  }
  if (cut.length === 0) return history;
  const now = await readHistory(file);
  const note = `cut off before it could end, and in the history by what it had judged: ${cut.join(', ')}`;
  return { ...now, note: now.note === null ? note : `${now.note}; ${note}` };
};
