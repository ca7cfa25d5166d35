// How long cells took: one small file that a run leaves and a later one is balanced by. It may be committed, kept in a cache of
// CI, or made of those of many shards. What it says is checked, since anybody may have written it.
import { readFile } from 'node:fs/promises';
import { toJsonText, writeAtomically } from '../bundle/atomic.ts';
import { messageOf, problem } from '../model/problem.ts';
import type { Cell } from '../systems/cell.ts';

export const DURATIONS_FILE = 'durations.json';
const FORMAT = 1;

/** By runtime, and then by cell: the last that was seen, in whole ms. */
export type Times = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type Durations = {
  readonly cells: Times;
  /** Of the control that a cell shares with others, by each of these cells: a control has no name that is the same elsewhere. */
  readonly controls: Times;
};

export const NO_DURATIONS: Durations = { cells: {}, controls: {} };

/** What a cell is called on every machine: planted defects change how long it takes. */
export const durationKey = ({ id, presets }: Pick<Cell, 'id' | 'presets'>): string =>
  presets.length === 0 ? id : `${id} with ${presets.join(', ')}`;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Far more than a cell takes; a larger one would make sums that are not exact. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1_000;

const isTime = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= LONGEST_MS;

/** Without prototypes: names come from files. */
const timesOf = (value: unknown, name: string): Times => {
  if (!isMap(value)) throw new Error(`${name} is no map of runtimes`);
  const runtimes = Object.entries(value).map(([runtime, cells]) => {
    if (!isMap(cells)) throw new Error(`${name}.${runtime} is no map of cells`);
    const wrong = Object.entries(cells).find(([, ms]) => !isTime(ms));
    if (wrong) throw new Error(`${name}.${runtime}: "${wrong[0].slice(0, 80)}" has no time in ms`);
    return [runtime, Object.fromEntries(Object.entries(cells).map(([cell, ms]) => [cell, Math.round(ms as number)]))] as const;
  });
  return Object.fromEntries(runtimes);
};

/** @throws Error in one line where it is not what it must be */
export const parseDurations = (text: string): Durations => {
  const value: unknown = JSON.parse(text);
  if (!isMap(value)) throw new Error('it is no object');
  if (value.format !== FORMAT) throw new Error(`its format is ${String(value.format)}, not ${FORMAT}`);
  return { cells: timesOf(value.cells ?? {}, 'cells'), controls: timesOf(value.controls ?? {}, 'controls') };
};

/** @returns null where there is no such file. @throws ProblemError `durations-unreadable` */
export const readDurations = async (path: string): Promise<Durations | null> => {
  try {
    return parseDurations(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw problem('scenario', 'durations-unreadable', `${path} holds no durations: ${messageOf(error)}`, {
      hint: 'name a durations.json that a run or a merge has left, or leave --durations out',
      cause: error,
    });
  }
};

const overTimes = (before: Times, after: Times): Times =>
  Object.fromEntries([...new Set([...Object.keys(before), ...Object.keys(after)])].map((runtime) => [runtime, { ...before[runtime], ...after[runtime] }]));

/** What was seen last stands. */
export const withDurations = (before: Durations, after: Durations): Durations => ({
  cells: overTimes(before.cells, after.cells),
  controls: overTimes(before.controls, after.controls),
});

const sorted = (times: Times): Times =>
  Object.fromEntries(
    Object.keys(times).sort().map((runtime) => [runtime, Object.fromEntries(Object.entries(times[runtime]!).sort(([a], [b]) => (a < b ? -1 : 1)))]),
  );

/** Sorted by name, a line for each: it may be committed, and two of them compared. */
export const durationsText = ({ cells, controls }: Durations): string =>
  toJsonText({ format: FORMAT, cells: sorted(cells), controls: sorted(controls) });

export const writeDurations = (path: string, durations: Durations): Promise<void> => writeAtomically(path, durationsText(durations));

/**
 * Adds what was seen now to what the file says of other cells. One that cannot be read is begun anew: it is a convenience,
 * and no run fails of it.
 */
export const addDurations = async (path: string, seen: Durations): Promise<void> => {
  const before = await readDurations(path).catch(() => null);
  await writeDurations(path, withDurations(before ?? NO_DURATIONS, seen));
};
