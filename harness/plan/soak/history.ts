// What earlier nights came to, one line for each cell and night in `history.ndjson`. A machine that lost its power in the middle of a
// line has lost that line: it is counted and passed over, and the next night begins on a line of its own.
import { createReadStream } from 'node:fs';
import { access, constants, open } from 'node:fs/promises';
import { linesOf } from '../../model/lines.ts';
import { median } from '../../model/median.ts';
import { messageOf, problem } from '../../model/problem.ts';
import type { ProblemError } from '../../model/problem.ts';
import type { Seen } from './tally.ts';

/** In the output folder, for all its nights. */
export const HISTORY_FILE = 'history.ndjson';

export type HistoryLine = {
  readonly format: 1;
  readonly night: string;
  readonly system: string;
  readonly runtime: string;
  readonly cell: string;
  readonly runs: number;
  readonly judged: number;
  readonly notPassed: number;
  readonly medianMs: number | null;
  readonly symptoms: readonly Seen[];
};

export type Past = {
  readonly nights: number;
  readonly judged: number;
  readonly notPassed: number;
  readonly medianMs: number | null;
  /** By fingerprint: the night in which it was seen first. */
  readonly since: ReadonlyMap<string, string>;
  /** Of the latest night that ran it. */
  readonly latest: readonly Seen[];
};

export type History = {
  readonly nights: number;
  readonly of: (system: string, runtime: string, cell: string) => Past | null;
  /** There is a line of that night for that cell. */
  readonly has: (line: Pick<HistoryLine, 'night' | 'system' | 'runtime' | 'cell'>) => boolean;
  /** What could not be read; null: all could. */
  readonly note: string | null;
};

type Known = { nights: Set<string>; judged: number; notPassed: number; medians: number[]; since: Map<string, string>; latest: readonly Seen[]; night: string };

const MAXIMUM_MEDIANS = 60;
const keyOf = (system: string, runtime: string, cell: string): string => `${system}\n${runtime}\n${cell}`;

const cannotUse = (file: string, cause: unknown): ProblemError =>
  problem('environment', 'history-not-usable', `the history of earlier nights, ${file}, cannot be used: ${messageOf(cause)}`, {
    hint: 'move it away or make it a file that can be read and written: without one the next night begins a history of its own', cause,
  });

/** A line that was cut off, or that somebody else wrote, is none. */
export const parseLine = (text: string): HistoryLine | null => {
  try {
    const line = JSON.parse(text) as Partial<HistoryLine> | null;
    const isOne = line?.format === 1 && typeof line.night === 'string' && typeof line.cell === 'string' && typeof line.system === 'string'
      && typeof line.runtime === 'string' && (line.medianMs === null || Number.isFinite(line.medianMs))
      && Number.isInteger(line.judged) && Number.isInteger(line.notPassed) && Array.isArray(line.symptoms)
      && line.symptoms.every((each) => typeof each?.fingerprint === 'string' && typeof each.words === 'string');
    return isOne ? (line as HistoryLine) : null;
  } catch {
    return null;
  }
};

const add = (known: Map<string, Known>, line: HistoryLine): void => {
  const key = keyOf(line.system, line.runtime, line.cell);
  const past: Known = known.get(key) ?? { nights: new Set(), judged: 0, notPassed: 0, medians: [], since: new Map(), latest: [], night: '' };
  known.set(key, past);
  past.nights.add(line.night);
  past.judged += line.judged;
  past.notPassed += line.notPassed;
  if (line.medianMs !== null && past.medians.push(line.medianMs) > MAXIMUM_MEDIANS) past.medians.shift();
  for (const { fingerprint } of line.symptoms) if (!past.since.has(fingerprint)) past.since.set(fingerprint, line.night);
  if (line.judged > 0 && line.night >= past.night) Object.assign(past, { latest: line.symptoms, night: line.night });
};

/** Read line by line: its length is of many nights. A file that is not there holds none. @throws ProblemError `history-not-usable` */
export const readHistory = async (file: string): Promise<History> => {
  const known = new Map<string, Known>();
  const nights = new Set<string>();
  let unread = 0;
  try {
    // To be told after the night would be too late.
    await access(file, constants.R_OK | constants.W_OK);
    for await (const text of linesOf(createReadStream(file))) {
      if (text.trim() === '') continue;
      const line = parseLine(text);
      if (line === null) {
        unread += 1;
        continue;
      }
      nights.add(line.night);
      add(known, line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw cannotUse(file, error);
  }
  const lost = unread === 1 ? '1 line' : `${unread} lines`;
  return {
    nights: nights.size,
    note: unread === 0 ? null : `left out, since cut off or not written by a soak: ${lost} of ${file}`,
    has: ({ night, system, runtime, cell }) => known.get(keyOf(system, runtime, cell))?.nights.has(night) ?? false,
    of: (system, runtime, cell) => {
      const past = known.get(keyOf(system, runtime, cell));
      return past === undefined ? null : { ...past, nights: past.nights.size, medianMs: past.medians.length === 0 ? null : Math.round(median(past.medians)) };
    },
  };
};

export const historyText = (lines: readonly HistoryLine[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** In one write, after a line end where the file breaks off without one; then with the disk. @throws ProblemError `history-not-usable` */
export const appendHistory = async (file: string, lines: readonly HistoryLine[]): Promise<void> => {
  if (lines.length === 0) return;
  const handle = await open(file, 'a+').catch((error: unknown) => {
    throw cannotUse(file, error);
  });
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const isTorn = size > 0 && last.toString() !== '\n';
    await handle.appendFile(`${isTorn ? '\n' : ''}${historyText(lines)}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
};
