// Which defect runs on which cell: all of them for the night, the named rows and one that must stay untouched for CI.
import type { Loaded } from '../../plan/select.ts';
import type { Matrix } from './rules.ts';

export type Choice = { readonly defect: string; readonly cells: readonly Loaded[] };

export type Wanted = {
  /** `all`: every defect on every scenario. `named`: on the rows that name it, and on one that it leaves alone. */
  readonly rows: 'all' | 'named';
  /** `all`: each cell of a scenario's matrix. `one`: the first of a row that does not name the defect, all of one that does. */
  readonly cells: 'all' | 'one';
};

/** A scenario without what its matrix added. */
export const fileIdOf = (id: string): string => id.replace(/\[.*$/, '');

const names = ({ scenario }: Loaded, defect: string): boolean => Object.hasOwn(scenario.catches, defect);

/** The first cell of each scenario. */
const firstCells = (loaded: readonly Loaded[]): readonly Loaded[] => [
  ...new Map(loaded.toReversed().map((one) => [fileIdOf(one.scenario.id), one])).values(),
].toReversed();

/**
 * The row of which the last whole matrix says that the defect touches nothing of it; another one for each defect.
 * @throws Error where the matrix knows none: then it has to be made again
 */
const untouchedBy = (defect: string, rows: readonly Loaded[], known: Matrix, turn: number): Loaded => {
  const touched = known.touched[defect];
  const free = rows.filter((row) => !names(row, defect) && touched !== undefined && !touched.includes(fileIdOf(row.scenario.id)));
  const chosen = free[turn % Math.max(1, free.length)];
  if (!chosen) throw new Error(`docs/kill-matrix.json knows no row that ${defect} leaves alone: run npm run kill-matrix`);
  return chosen;
};

/**
 * @param loaded the cells of the reference systems' scenarios
 * @param known the last whole matrix; needed for the row that is left alone
 */
export const choose = (loaded: readonly Loaded[], defects: readonly string[], wanted: Wanted, known: Matrix | null): readonly Choice[] => {
  const rows = firstCells(loaded);
  return defects.map((defect, turn) => {
    const named = (wanted.cells === 'all' || wanted.rows === 'all' ? loaded : rows).filter((one) => names(one, defect));
    const others = (wanted.cells === 'all' ? loaded : rows).filter((one) => !names(one, defect));
    if (wanted.rows === 'all') return { defect, cells: [...named, ...others] };
    if (known === null) throw new Error('the rows that a defect leaves alone are in docs/kill-matrix.json, which was not given');
    return { defect, cells: [...named, untouchedBy(defect, rows, known, turn)] };
  });
};
