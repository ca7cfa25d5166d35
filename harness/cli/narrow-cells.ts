// Which of the cells that scenarios, tags and axes give are wanted by name, or because of what became of them the last time.
import { withCoordinates } from '../model/coordinates.ts';
import type { Loaded } from '../plan/select.ts';
import type { Cell } from '../systems/cell.ts';
import { readLastRun } from './last-run.ts';
import type { LastRunCell } from './last-run.ts';
import type { RunOptions } from './run-options.ts';

export type Narrowed = {
  readonly cells: readonly Cell[];
  /** All that did not pass in the last run, where that is asked for. */
  readonly failed: readonly LastRunCell[];
  /** Where none is left: why, in one line. */
  readonly why: string;
};

type NameWish = Pick<RunOptions, 'grep' | 'grepInvert'>;

const isNamed = (id: string, name: string, { grep, grepInvert }: NameWish): boolean => {
  const finds = (pattern: RegExp): boolean => [id, name].some((text) => pattern.test(text));
  return (grep === null || finds(grep)) && (grepInvert === null || !finds(grepInvert));
};

/** Before there are cells: which runtime is needed hangs on what is wanted. All where none is, since the problem is another then. */
export const loadedByName = (loaded: readonly Loaded[], wish: NameWish): readonly Loaded[] => {
  const named = loaded.filter(({ scenario, coordinates = {} }) => isNamed(withCoordinates(scenario.id, coordinates), scenario.name, wish));
  return named.length === 0 ? loaded : named;
};

/** What `--grep` and `--grep-invert` mean in every command that has them. */
export const cellsByName = (cells: readonly Cell[], wish: NameWish): readonly Cell[] => cells.filter(({ id, scenario }) => isNamed(id, scenario.name, wish));

const lastFailed = async (cells: readonly Cell[], root: string): Promise<Narrowed> => {
  const lastRun = await readLastRun(root);
  const failed = lastRun.cells.filter(({ isFine }) => !isFine);
  const ids = new Set(failed.map(({ cell }) => cell));
  const left = cells.filter(({ id }) => ids.has(id));
  if (ids.size === 0) return { cells: left, failed, why: `nothing failed in the last run, which ended at ${lastRun.endedAt}` };
  const [first, ...rest] = [...ids];
  const others = rest.length === 0 ? '' : ` and ${rest.length} more`;
  return { cells: left, failed, why: `what failed in the last run (${first}${others}) is not among what is asked for: give the same paths and options` };
};

/**
 * @param root the output folder
 * @throws ProblemError `no-last-run`, `last-run-damaged`
 */
export const narrowCells = async (
  cells: readonly Cell[],
  options: Pick<RunOptions, 'grep' | 'grepInvert' | 'lastFailed'>,
  root: string,
): Promise<Narrowed> => {
  const named = cellsByName(cells, options);
  const why = `--grep and --grep-invert leave none of ${cells.length}; hangup list shows their names`;
  return options.lastFailed && named.length > 0 ? lastFailed(named, root) : { cells: named, failed: [], why };
};
