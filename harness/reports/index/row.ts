// One cell of the index: its scenario with a link to its report, its outcome, each claim as a sign, why whatever was not held
// was not, and how long it took. Signs are for the eye; the same is said in words for whoever reads with the ear.
import { join, relative } from 'node:path';
import { formatMs } from '../../model/time.ts';
import type { Outcome } from '../../model/verdict.ts';
import { escapeHtml, pathToHref, webAddress } from '../page/escape.ts';
import type { ReportedAttempt, ReportedCell } from '../reported-cells.ts';
import { reasonsOf } from '../status.ts';
import type { Status } from '../status.ts';
import { titleOf } from '../summary.ts';
import type { ClaimRow, ScenarioSummary } from '../summary.ts';
import { plural } from '../text.ts';
import { systemOf } from '../what-was-run.ts';

const SIGNS: Readonly<Record<Outcome, string>> = { violated: '✗', inconclusive: '?', held: '✓', 'does-not-apply': '·' };
const WORDS: Readonly<Record<Outcome, string>> = { violated: 'violated', inconclusive: 'inconclusive', held: 'held', 'does-not-apply': 'not applicable' };
/** Rather than a page that nobody scrolls through. */
const MAXIMUM_REASONS = 8;

/** From the folder that the index lies in to a page of a bundle; null where there is no such page. */
export const hrefOf = ({ folder, pages, pagesIn = folder ?? undefined }: ScenarioSummary, root: string | null): string | null => {
  const page = ['.html', '.md'].flatMap((end) => pages.find((name) => name.endsWith(end)) ?? [])[0];
  return pagesIn === undefined || page === undefined || root === null ? null : pathToHref(relative(root, join(pagesIn, page)));
};

const link = (href: string | null, text: string): string => (href === null ? escapeHtml(text) : `<a href="${href}">${escapeHtml(text)}</a>`);

const strip = (summary: ScenarioSummary): string => {
  const groups = [...Map.groupBy(summary.rows, ({ outcome }) => outcome)];
  const signs = groups.map(([outcome, rows]) => `<span class="${outcome}">${SIGNS[outcome].repeat(rows.length)}</span>`).join('');
  const said = groups.map(([outcome, rows]) => `${rows.length} ${WORDS[outcome]}`).join(', ');
  return `<span class="strip" aria-hidden="true">${signs}</span> <span class="unseen">${said || 'no claims'}</span>`;
};

const isTold = ({ outcome, standing }: ClaimRow): boolean => outcome === 'violated' || outcome === 'inconclusive' || standing === 'fixed';

/** @param index of the claim among the rows of its summary: report.html names them by it */
const claimLine = (row: ClaimRow, index: number, href: string | null): string => {
  const word = row.standing === 'right' ? `rightly ${row.outcome}` : row.standing ?? row.outcome;
  const issue = row.issue === null ? '' : webAddress(row.issue) === null ? ` (${escapeHtml(row.issue)})` : ` (<a href="${escapeHtml(row.issue)}">issue</a>)`;
  const target = href?.endsWith('.html') ? `${href}#claim-${index}` : null;
  const kind = row.class ? ` [${escapeHtml(row.class)}]` : '';
  const tone = row.standing === 'known' ? 'known' : row.standing === null ? row.outcome : 'held';
  return `<li><span class="word ${tone}">${word}</span> ${link(target, titleOf(row))}${kind}: ${escapeHtml(row.reason, 300)}${issue}</li>`;
};

const why = (summary: ScenarioSummary, href: string | null): string => {
  const others = reasonsOf(summary).filter(({ word }) => word === 'problem' || word === 'concluded otherwise')
    .map(({ word, of, why: text }) => `<li><span class="word error">${word}</span> ${of === '' ? '' : `<code>${escapeHtml(of)}</code>: `}${escapeHtml(text, 600)}</li>`);
  const lines = [...others, ...summary.rows.flatMap((row, index) => (isTold(row) ? [claimLine(row, index, href)] : []))];
  const hidden = lines.length - MAXIMUM_REASONS;
  const shown = hidden > 0 ? [...lines.slice(0, MAXIMUM_REASONS), `<li class="soft">and ${hidden} more</li>`] : lines;
  return shown.length === 0 ? '' : `<ul class="why">${shown.join('')}</ul>`;
};

export const statusWord = (status: Status): string => (status === 'does-not-apply' ? 'does not apply' : status);

const attemptLink = ({ summary, status }: ReportedAttempt, root: string | null): string =>
  `<li>${link(hrefOf(summary, root), `attempt ${summary.attempt}`)}: <span class="${status}">${statusWord(status)}</span></li>`;

/** Kinds of claims that were violated or left open in any attempt: what the table is narrowed by. */
export const openClaims = ({ attempts }: ReportedCell): readonly string[] =>
  [...new Set(attempts.flatMap(({ summary }) => summary.rows.filter(({ outcome }) => outcome === 'violated' || outcome === 'inconclusive').map(({ claim }) => claim)))];

/**
 * @param root the folder that the index will lie in; null: nothing can be linked
 * @param several whether it must be said which system was its own
 */
export const indexRow = (cell: ReportedCell, root: string | null, several: boolean): string => {
  const { summary, status } = cell.worst;
  const href = hrefOf(summary, root);
  const isRepeated = cell.attempts.length > 1;
  const system = several ? systemOf(summary) : null;
  const attempts = isRepeated ? `<ul class="attempts">${cell.attempts.map((each) => attemptLink(each, root)).join('')}</ul>` : '';
  const word = `${cell.isFlaky ? 'flaky: ' : ''}${statusWord(status)}`;
  return [
    `<tr data-outcome="${cell.isFlaky ? 'flaky' : status}" data-open="${escapeHtml(openClaims(cell).join(' '))}">`,
    `<th scope="row">${link(href, cell.cell)}${system === null ? '' : `<br><span class="soft">${escapeHtml(system)}</span>`}${attempts}</th>`,
    `<td><span class="word ${status}">${word}</span>${isRepeated ? `<br><span class="soft">${plural(cell.attempts.length, 'attempt')}</span>` : ''}</td>`,
    `<td>${strip(summary)}${why(summary, href)}</td>`,
    `<td class="number">${formatMs(cell.tookMs)}</td></tr>`,
  ].join('');
};
