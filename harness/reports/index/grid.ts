// Grids of outcomes for the index: a table each, its squares linked to the reports. A sign for the eye, the word for the ear.
import { gridsOf } from '../grid/grid.ts';
import type { Grid, GridSquare } from '../grid/grid.ts';
import { SIGNS } from '../grid/text.ts';
import { escapeHtml } from '../page/escape.ts';
import type { RunEnd } from '../reporter.ts';
import { headline } from '../status.ts';
import { hrefOf } from './row.ts';

const wordOf = (mark: GridSquare['mark']): string => (mark === 'does-not-apply' ? 'does not apply' : mark);

const square = (found: GridSquare | null, root: string | null): string => {
  if (found === null) return '<td class="none"><span class="unseen">not run</span></td>';
  const { mark, cell } = found;
  const { summary, status } = cell.worst;
  const href = hrefOf(summary, root);
  const sign = `<span aria-hidden="true">${SIGNS[mark]}</span><span class="unseen">${wordOf(mark)}</span>`;
  const shown = href === null ? sign : `<a href="${href}">${sign}</a>`;
  return `<td class="${mark === 'flaky' ? 'inconclusive' : mark}" title="${escapeHtml(`${cell.cell}: ${headline(summary, status)}`, 300)}">${shown}</td>`;
};

const gridTable = (grid: Grid, root: string | null): string => [
  `<table class="grid"><caption>${escapeHtml(grid.title)}</caption>`,
  `<thead><tr><th scope="col">${escapeHtml(grid.rowsAre)}</th>${grid.columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('')}</tr></thead>`,
  '<tbody>',
  ...grid.rows.map((row) =>
    `<tr${row.isClaim ? ' class="claim"' : ''}><th scope="row">${escapeHtml(row.name)}</th>${row.squares.map((each) => square(each, root)).join('')}</tr>`),
  '</tbody></table>',
].join('\n');

/** '' where no axis has two values. */
export const gridSection = (end: RunEnd): string => {
  const grids = gridsOf(end);
  if (grids.length === 0) return '';
  return `<section aria-labelledby="grids"><h2 id="grids">Over the axes</h2>\n${grids.map((grid) => `<div class="wide">${gridTable(grid, end.folder)}</div>`).join('\n')}\n</section>`;
};
