// How long what has just run took, as a later run is told: the phases themselves, without the time in which a cell stood in line
// or waited for the control that it shares.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../bundle/format.ts';
import { controlKey } from '../systems/control-cell.ts';
import type { Cell } from '../systems/cell.ts';
import { nameOf } from './cell-bundle.ts';
import { controlsOf, needsControl } from './controls.ts';
import { durationKey } from './durations.ts';
import type { Durations } from './durations.ts';
import type { CellResult } from './run-cell.ts';

/** Of a bundle, ms; null where it says none. */
const phasesMs = async (folder: string): Promise<number | null> => {
  try {
    const { phases } = JSON.parse(await readFile(join(folder, FILES.manifest), 'utf8')) as { readonly phases: Readonly<Record<string, number>> };
    const sum = Object.values(phases).reduce((total, ms) => total + ms, 0);
    return Number.isFinite(sum) && sum > 0 ? Math.round(sum) : null;
  } catch {
    return null;
  }
};

type Seen = Record<string, Record<string, number>>;

const put = (times: Seen, { runtime }: Cell, key: string, ms: number): void => {
  (times[runtime] ??= {})[key] = ms;
};

/** Broken off, it is no measure of anything. */
const isWhole = ({ outcome }: CellResult): boolean => outcome === 'passed' || outcome === 'failed' || outcome === 'inconclusive';

/** @param output the folder of the bundles; null: none are kept, and times are those of the results, with the waiting */
export const seenDurations = async (results: readonly CellResult[], output: string | null): Promise<Durations> => {
  const cells: Seen = {};
  const controls: Seen = {};
  const whole = results.filter(isWhole);
  for (const { cell, folder, tookMs } of whole) put(cells, cell, durationKey(cell), (folder === '' ? null : await phasesMs(folder)) ?? tookMs);
  if (output === null) return { cells, controls };
  const sharing = Map.groupBy(whole.map(({ cell }) => cell).filter(needsControl), controlKey);
  for (const [key, control] of controlsOf([...sharing.values()].flat())) {
    const ms = await phasesMs(join(output, nameOf(control, 1)));
    if (ms !== null) for (const cell of sharing.get(key) ?? []) put(controls, cell, durationKey(cell), ms);
  }
  return { cells, controls };
};
