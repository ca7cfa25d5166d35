// Outcomes over the axes on which the systems of a run differ: one grid, rows by columns, for each scenario, and for each of its
// claims that does not come out alike everywhere.
import { reportedCells } from '../reported-cells.ts';
import type { ReportedCell } from '../reported-cells.ts';
import type { RunEnd } from '../reporter.ts';
import type { Status } from '../status.ts';
import { titleOf } from '../summary.ts';
import type { ClaimRow } from '../summary.ts';

export type Mark = Status | 'flaky';

export type GridSquare = { readonly mark: Mark; readonly cell: ReportedCell };

export type GridRow = {
  readonly name: string;
  /** A row of a claim, below the one of its scenario. */
  readonly isClaim: boolean;
  /** Null: this combination was not run. */
  readonly squares: readonly (GridSquare | null)[];
};

export type Grid = {
  readonly title: string;
  /** What the rows are: the name of an axis, or `scenario`. */
  readonly rowsAre: string;
  readonly columnsAre: string;
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
};

type Placed = { readonly cell: ReportedCell; readonly scenario: string; readonly at: Readonly<Record<string, string>> };

/** `disconnect/endless[how=fin]` of `disconnect/endless[how=fin,version=1.2]`. */
const withoutAxes = (cell: string, axes: readonly string[]): string =>
  cell.replace(/\[(.*)\]/s, (_, inside: string) => {
    const kept = inside.split(',').filter((part) => !axes.includes(part.replace(/=.*$/s, '')));
    return kept.length === 0 ? '' : `[${kept.join(',')}]`;
  });

const RELEASE = /^v?\d+(?:\.\d+)*$/;
const byNumbers = new Intl.Collator('en', { numeric: true });

/** Plain releases by their numbers, all else in the order in which it was asked for. */
const valuesOn = (placed: readonly Placed[], axis: string): readonly string[] => {
  const values = [...new Set(placed.flatMap(({ at }) => at[axis] ?? []))];
  return values.every((value) => RELEASE.test(value)) ? values.sort(byNumbers.compare) : values;
};

const markOf = ({ isFlaky, worst }: ReportedCell): Mark => (isFlaky ? 'flaky' : worst.status);

const CLAIMS: Readonly<Record<ClaimRow['outcome'], Mark>> = {
  held: 'passed', violated: 'failed', inconclusive: 'inconclusive', 'does-not-apply': 'does-not-apply',
};

/** Of a claim; of a run that was not judged, what became of the run. */
const claimMark = (cell: ReportedCell, title: string): Mark => {
  const row = cell.worst.summary.rows.find((each) => titleOf(each) === title);
  if (row === undefined) return markOf(cell);
  return row.standing === 'known' ? 'known' : row.standing === 'right' ? 'passed' : CLAIMS[row.outcome];
};

type Marking = (cell: ReportedCell) => Mark;

/** Claims that come out differently somewhere, and not just as the scenario as a whole does. */
const tellingClaims = (placed: readonly Placed[]): readonly string[] => {
  const titles = [...new Set(placed.flatMap(({ cell }) => cell.worst.summary.rows.map(titleOf)))];
  const judged = placed.filter(({ cell }) => cell.worst.summary.rows.length > 0);
  return titles.filter((title) => {
    const marks = judged.map(({ cell }) => claimMark(cell, title));
    return new Set(marks).size > 1 && judged.some(({ cell }, index) => marks[index] !== markOf(cell));
  });
};

const squaresOf = (placed: readonly Placed[], axis: string, values: readonly string[], mark: Marking): GridRow['squares'] =>
  values.map((value) => {
    const found = placed.find(({ at }) => at[axis] === value);
    return found === undefined ? null : { cell: found.cell, mark: mark(found.cell) };
  });

/** One axis: a row for each scenario, its telling claims below it. */
const overOne = (placed: readonly Placed[], axis: string): Grid => {
  const columns = valuesOn(placed, axis);
  const rows = [...Map.groupBy(placed, ({ scenario }) => scenario)].flatMap(([scenario, all]): readonly GridRow[] => [
    { name: scenario, isClaim: false, squares: squaresOf(all, axis, columns, markOf) },
    ...tellingClaims(all).map((title) => ({ name: title, isClaim: true, squares: squaresOf(all, axis, columns, (cell) => claimMark(cell, title)) })),
  ]);
  return { title: `Outcomes by ${axis}`, rowsAre: 'scenario', columnsAre: axis, columns, rows };
};

/** Two axes: a grid for each scenario and each of its telling claims; what differs further is part of their names. */
const overTwo = (placed: readonly Placed[], [down, across, ...more]: readonly string[]): readonly Grid[] => {
  const nameOf = ({ scenario, at }: Placed): string => [scenario, ...more.map((axis) => `${axis}=${at[axis] ?? ''}`)].join(' ');
  return [...Map.groupBy(placed, nameOf)].flatMap(([name, all]) => {
    const [columns, values] = [valuesOn(placed, across!), valuesOn(placed, down!)];
    const grid = (title: string, mark: Marking): Grid => ({
      title,
      rowsAre: down!,
      columnsAre: across!,
      columns,
      rows: values.map((value) => ({ name: value, isClaim: false, squares: squaresOf(all.filter(({ at }) => at[down!] === value), across!, columns, mark) })),
    });
    return [grid(name, markOf), ...tellingClaims(all).map((title) => grid(`${name}: ${title}`, (cell) => claimMark(cell, title)))];
  });
};

/** @returns none where no axis has two values */
export const gridsOf = (end: RunEnd): readonly Grid[] => {
  const cells = reportedCells(end);
  const coordinates = (cell: ReportedCell): Readonly<Record<string, string>> => cell.worst.summary.coordinates;
  const names = [...new Set(cells.flatMap((cell) => Object.keys(coordinates(cell))))];
  const order = new Map((end.start?.scenarios ?? []).map((name, index) => [name, index] as const));
  const placed = cells
    .filter((cell) => Object.keys(coordinates(cell)).length > 0)
    .toSorted((a, b) => (order.get(a.cell) ?? 0) - (order.get(b.cell) ?? 0))
    .map((cell): Placed => ({ cell, at: coordinates(cell), scenario: withoutAxes(cell.cell, names) }));
  const varying = names.filter((axis) => valuesOn(placed, axis).length > 1);
  if (varying.length === 0) return [];
  return varying.length === 1 ? [overOne(placed, varying[0]!)] : overTwo(placed, varying);
};
