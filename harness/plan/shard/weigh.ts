// What a cell will cost, in ms: as it was recorded, else as long as its phases are planned to be, in the measure of those that
// were recorded. Counting cells would say that one of three seconds is as much as one of sixteen.
import { controlKey } from '../../systems/control-cell.ts';
import type { Cell } from '../../systems/cell.ts';
import { controlsOf, needsControl } from '../controls.ts';
import { durationKey, NO_DURATIONS } from '../durations.ts';
import type { Durations, Times } from '../durations.ts';
import { phasesOf } from '../explain-lengths.ts';

export type Weighed = {
  /** The same on every machine, and of no other cell. */
  readonly id: string;
  readonly weightMs: number;
  /** What must be run once on each shard that has one of those that share it. `key` is good for comparing here, and nowhere else. */
  readonly control: { readonly key: string; readonly weightMs: number } | null;
};

/** Nobody plans how long a system takes to be there, to be sampled and to be put away: about this, on a machine that does more. */
const AROUND_MS = 2_500;

const plannedMs = (cell: Cell, phases: readonly string[]): number =>
  phasesOf(cell).reduce((sum, { phase, plannedMs: ms }) => sum + (phases.includes(phase) ? ms ?? 0 : 0), AROUND_MS);

const ofCell = (cell: Cell): number => plannedMs(cell, ['drive', 'watch', 'ask']);
const ofControl = (control: Cell): number => plannedMs(control, ['drive']) + (control.staysMs ?? 0);

const recordedMs = (times: Times, cell: Cell): number | null => {
  const runtime = Object.hasOwn(times, cell.runtime) ? times[cell.runtime]! : {};
  return Object.hasOwn(runtime, durationKey(cell)) ? runtime[durationKey(cell)]! : null;
};

/** The upper one of an even count, which model/median.ts has not: plans made before must be made again. */
const upperMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;

/** How much longer than planned things took where they were recorded; 1 where nothing was. */
const stretchOf = (cells: readonly Cell[], { cells: times }: Durations): number =>
  upperMedian(cells.flatMap((cell) => {
    const ms = recordedMs(times, cell);
    return ms === null ? [] : [ms / ofCell(cell)];
  }));

export type Weighing = {
  readonly cells: readonly Weighed[];
  /** Of how many cells a time was on record. */
  readonly recorded: number;
};

const applies = ({ claims }: Cell): boolean => claims.some(({ notApplicable }) => notApplicable === null);

/** Attempts of a cell lie on one shard, and share one control. @param cells each once */
export const weighCells = (cells: readonly Cell[], durations: Durations | null, repeat = 1): Weighing => {
  const known = durations ?? NO_DURATIONS;
  const running = cells.filter(applies);
  const stretch = stretchOf(running, known);
  const controls = controlsOf(running);
  const sharing = Map.groupBy(running.filter(needsControl), controlKey);
  const controlMs = (cell: Cell, key: string): number => {
    // The largest of what its cells have on record: the same whichever of them is asked.
    const times = (sharing.get(key) ?? []).flatMap((other) => recordedMs(known.controls, other) ?? []);
    return times.length > 0 ? Math.max(...times) : Math.round(ofControl(controls.get(key) ?? cell) * stretch);
  };
  const byKey = new Map<string, number>();
  const weigh = (cell: Cell): Weighed => {
    const id = durationKey(cell);
    // Nothing is started for what does not apply.
    if (!applies(cell)) return { id, weightMs: 0, control: null };
    const weightMs = Math.round((recordedMs(known.cells, cell) ?? ofCell(cell) * stretch) * repeat);
    if (!needsControl(cell)) return { id, weightMs, control: null };
    const key = controlKey(cell);
    if (!byKey.has(key)) byKey.set(key, controlMs(cell, key));
    return { id, weightMs, control: { key, weightMs: byKey.get(key)! } };
  };
  return { cells: cells.map(weigh), recorded: running.filter((cell) => recordedMs(known.cells, cell) !== null).length };
};
