// index.html: a set of runs on one page, the worst first. It is one file that asks the network for nothing, and a plain
// table where no script may run; its links lead to the reports of the bundles beside it.
import { formatMs } from '../model/time.ts';
import { busyHint } from './busy.ts';
import { gridSection } from './index/grid.ts';
import { indexRow, openClaims, statusWord } from './index/row.ts';
import { INDEX_SCRIPT } from './index/script.ts';
import { INDEX_STYLE } from './index/style.ts';
import { notNeededLines, notRunLines } from './not-run.ts';
import { escapeHtml } from './page/escape.ts';
import { pageOf } from './page/page.ts';
import { reportedCells } from './reported-cells.ts';
import type { ReportedCell } from './reported-cells.ts';
import type { RunEnd } from './reporter.ts';
import { STATUSES } from './status.ts';
import { plural } from './text.ts';
import { hasSeveral, whatWasRun } from './what-was-run.ts';

const OUTCOMES = ['flaky', ...STATUSES] as const;
type Told = (typeof OUTCOMES)[number];

const toldOf = (cell: ReportedCell): Told => (cell.isFlaky ? 'flaky' : cell.worst.status);
const wordOf = (told: Told): string => (told === 'flaky' ? told : statusWord(told));

/** What was not as it should be comes first; among the same, by name. */
const inOrder = (cells: readonly ReportedCell[]): readonly ReportedCell[] => {
  const weight = (cell: ReportedCell): number => STATUSES.indexOf(cell.worst.status);
  return cells.toSorted((a, b) => weight(a) - weight(b));
};

const counted = (values: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const options = (any: string, entries: readonly (readonly [value: string, text: string])[]): string =>
  [['', any] as const, ...entries].map(([value, text]) => `<option value="${escapeHtml(value)}">${escapeHtml(text)}</option>`).join('');

const controls = (cells: readonly ReportedCell[], outcomes: ReadonlyMap<string, number>): string => {
  const claims = [...counted(cells.flatMap(openClaims))].sort(([a], [b]) => (a < b ? -1 : 1));
  const told = OUTCOMES.filter((each) => outcomes.has(each));
  return [
    '<form class="controls" hidden aria-label="Narrow the table">',
    `<div><label for="outcome">Outcome</label><select id="outcome" name="outcome">${options('any', told.map((each) => [each, `${wordOf(each)} (${outcomes.get(each)})`]))}</select></div>`,
    `<div><label for="claim">Claim that was not held</label><select id="claim" name="claim">${options('any', claims.map(([claim, count]) => [claim, `${claim} (${count})`]))}</select></div>`,
    '<div><label for="text">Text</label><input type="search" id="text" name="text" autocomplete="off" spellcheck="false"></div>',
    '<button type="reset">Show all</button>', '<output aria-live="polite"></output>', '</form>',
  ].join('');
};

const counts = (outcomes: ReadonlyMap<string, number>): string => {
  const items = OUTCOMES.flatMap((each) => {
    const count = outcomes.get(each);
    return count === undefined ? [] : [`<li><b>${count}</b><span class="word ${each === 'flaky' ? 'inconclusive' : each}">${wordOf(each)}</span></li>`];
  });
  return `<ul class="counts" aria-label="Outcomes">${items.join('')}</ul>`;
};

const claimsLine = (cells: readonly ReportedCell[]): string => {
  const all = cells.flatMap(({ attempts }) => attempts.map(({ summary }) => summary.counts));
  const sum = (key: 'held' | 'violated' | 'inconclusive' | 'does-not-apply' | 'known' | 'fixed'): number => all.reduce((total, each) => total + each[key], 0);
  const listed = (['known', 'fixed'] as const).filter((key) => sum(key) > 0).map((key) => `, ${sum(key)} ${key}`).join('');
  return `Claims: ${sum('held')} held, ${sum('violated')} violated, ${sum('inconclusive')} inconclusive, ${sum('does-not-apply')} not applicable${listed}.`;
};

const about = (end: RunEnd): string => {
  const { start, tookMs, exitCode } = end;
  const when = start?.startedAt === undefined ? '' : `begun ${start.startedAt}, `;
  const what = whatWasRun(end);
  return escapeHtml(`${when}took ${formatMs(tookMs)}${what === null ? '' : `, ${what}`}${start?.seed === undefined ? '' : `, seed ${start.seed}`}, exit code ${exitCode}`);
};

const table = (cells: readonly ReportedCell[], root: string | null, several: boolean): string => [
  '<table id="scenarios"><caption class="unseen">Scenarios, the worst first</caption>',
  '<thead><tr><th scope="col">Scenario</th><th scope="col">Outcome</th><th scope="col">Claims</th><th scope="col" class="number">Took</th></tr></thead>',
  '<tbody>', ...cells.map((cell) => indexRow(cell, root, several)), '</tbody></table>',
].join('\n');

const LEGEND = '<p class="note">✓ held &#160; ✗ violated &#160; ? inconclusive &#160; · does not apply</p>';

/**
 * The page for the folder of an invocation, `end.folder`; links are relative to it.
 * @returns a whole document, the same for the same runs
 */
export const renderIndex = (end: RunEnd): string => {
  const cells = inOrder(reportedCells(end));
  const outcomes = counted(cells.map(toldOf));
  const hint = busyHint(end.summaries);
  const left = [...notRunLines(end), ...notNeededLines(end)].map((line) => `<p>${escapeHtml(line)}</p>`);
  const title = cells.length === 0 ? 'hangup: nothing was run' : `hangup: ${plural(cells.length, 'scenario')}`;
  const told = [...outcomes].map(([each, count]) => `${count} ${wordOf(each as Told)}`).join(', ');
  const body = [
    `<header><h1>${cells.length === 0 ? 'Nothing was run' : escapeHtml(`${plural(cells.length, 'scenario')}: ${told}`)}</h1>`,
    `<p class="facts">${about(end)}</p></header>`, '<main>',
    ...(cells.length === 0 ? (left.length > 0 ? left : ['<p>No scenario matched, or none could be started.</p>']) : [
      counts(outcomes), `<p>${claimsLine(cells)}</p>`, ...left, ...(hint === null ? [] : [`<p>${escapeHtml(hint)}</p>`]), controls(cells, outcomes), LEGEND, table(cells, end.folder, hasSeveral(end.summaries)), gridSection(end),
    ]),
    '</main>', '<footer>Made by hangup from the verdicts of each run.</footer>',
  ].join('\n');
  return pageOf({ title, style: INDEX_STYLE, body, ...(cells.length === 0 ? {} : { script: INDEX_SCRIPT }) });
};
