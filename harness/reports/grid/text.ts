// Grids of outcomes for a terminal: one sign a square, in as many columns as fit, with what the signs mean below.
import { columns, oneLine } from '../text.ts';
import type { Grid, GridRow, Mark } from './grid.ts';

export const SIGNS: Readonly<Record<Mark, string>> = {
  passed: '✓', failed: '✗', known: 'k', inconclusive: '?', untestable: '-', error: '!', interrupted: '!', flaky: '~', 'does-not-apply': '·',
};
const WORDS: Readonly<Record<Mark, string>> = {
  passed: 'passed', failed: 'failed', known: 'known', inconclusive: 'inconclusive', untestable: 'untestable', error: 'error',
  interrupted: 'interrupted', flaky: 'flaky', 'does-not-apply': 'does not apply',
};
/** Further ones are counted: they are all on the page. */
const MAXIMUM_GRIDS = 12;
const NAME_LENGTH = 60;
const GAP = 2;

const nameOf = ({ name, isClaim }: GridRow): string => `${isClaim ? '    ' : '  '}${oneLine(name, NAME_LENGTH)}`;

/** Indices of columns, as many side by side as the terminal is wide. */
const chunks = (grid: Grid, width: number): readonly (readonly number[])[] => {
  const nameWidth = Math.max(...grid.rows.map((row) => nameOf(row).length), grid.rowsAre.length + 2);
  const found: number[][] = [[]];
  let left = width - nameWidth;
  for (const [index, column] of grid.columns.entries()) {
    const needed = Math.max(oneLine(column).length, 1) + GAP;
    if (needed > left && found.at(-1)!.length > 0) {
      found.push([]);
      left = width - nameWidth;
    }
    left -= needed;
    found.at(-1)!.push(index);
  }
  return found;
};

export type PaintMark = (mark: Mark, sign: string) => string;

const gridLines = (grid: Grid, width: number, paint: PaintMark): readonly string[] =>
  chunks(grid, width).flatMap((indices) => columns([
    [`  ${grid.rowsAre}`, ...indices.map((index) => oneLine(grid.columns[index]!))],
    ...grid.rows.map((row) => [nameOf(row), ...indices.map((index) => {
      const square = row.squares[index];
      return square ? paint(square.mark, SIGNS[square.mark]) : '';
    })]),
  ]));

const legend = (grids: readonly Grid[]): string => {
  const marks = new Set(grids.flatMap(({ rows }) => rows.flatMap(({ squares }) => squares.flatMap((square) => square?.mark ?? []))));
  return (Object.keys(SIGNS) as readonly Mark[]).filter((mark) => marks.has(mark)).map((mark) => `${SIGNS[mark]} ${WORDS[mark]}`).join('   ');
};

/** @param width of the terminal. @returns no lines for no grids */
export const gridText = (grids: readonly Grid[], width: number, paint: PaintMark = (_, sign) => sign): readonly string[] => {
  if (grids.length === 0) return [];
  const shown = grids.slice(0, MAXIMUM_GRIDS);
  return [
    ...shown.flatMap((grid) => ['', `${oneLine(grid.title)}${grid.rowsAre === 'scenario' ? '' : ` (${grid.rowsAre} down, ${grid.columnsAre} across)`}`, ...gridLines(grid, width, paint)]),
    '', ...(grids.length > shown.length ? [`  and ${grids.length - shown.length} more grids, which index.html has`] : []), `  ${legend(shown)}`,
  ];
};
