// A comparison as one offline page: both pictures below each other on one axis, whose nought is the moment at which the runs
// are aligned. It needs no script.
import { formatMs } from '../../model/time.ts';
import type { Outcome } from '../../model/verdict.ts';
import { drawPicture } from '../html/svg.ts';
import { escapeHtml } from '../page/escape.ts';
import { pageOf } from '../page/page.ts';
import type { ReportInput } from '../view/input.ts';
import { viewOf } from '../view/view-of.ts';
import type { Interval, View } from '../view/view.ts';
import { shownOf } from './circumstances.ts';
import type { Difference } from './circumstances.ts';
import type { ClaimSide, Comparison, RunSide } from './comparison.ts';
import { shifted } from './shift.ts';
import { agreement, howOf } from './text.ts';

const WIDTH = 1320;

const STYLE = `
td.side{width:38%}
tr.differs>th,tr.differs>td{background:var(--panel)}
tbody th{font-weight:600}
figcaption{padding:6px 10px;font-size:14px;position:sticky;left:0}
figure+figure{margin-top:10px}
`;

const table = (title: string, head: readonly string[], rows: readonly string[]): string => [
  `<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>`,
  `<thead><tr>${head.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead>`, '<tbody>', ...rows, '</tbody></table></div>',
].join('\n');

const word = (outcome: Outcome): string => `<span class="word ${outcome}">${outcome.replaceAll('-', ' ')}</span>`;

const claimCell = (side: ClaimSide | null): string =>
  side === null ? '<td class="side"><span class="note">no such claim</span></td>'
    : `<td class="side">${word(side.outcome)} ${side.class === null ? '' : `${escapeHtml(side.class)}: `}${escapeHtml(side.reason)}</td>`;

const claims = ({ claims: pairs }: Comparison): string =>
  table('Claims', ['claim', 'a', 'b', 'same'], pairs.map((pair) =>
    `<tr${pair.differs ? ' class="differs"' : ''}><th scope="row">${escapeHtml(pair.title)}</th>${claimCell(pair.a)}${claimCell(pair.b)}<td>${howOf(pair) || 'same'}</td></tr>`));

const differences = (title: string, rows: readonly Difference[], absent: string): string => {
  if (rows.length === 0) return '';
  const cell = (value: string | null): string => `<td class="side">${value === null ? `<span class="note">${absent}</span>` : escapeHtml(value)}</td>`;
  const { shown, more } = shownOf(rows);
  const lines = shown.map(({ what, a, b }) => `<tr${a === b ? '' : ' class="differs"'}><th scope="row">${escapeHtml(what)}</th>${cell(a)}${cell(b)}</tr>`);
  const rest = more === null ? '' : `\n<p class="note">${more}; all are in the two bundles.</p>`;
  return `<section><h2>${title}</h2>\n${table(title, ['what', 'a', 'b'], lines)}${rest}\n</section>`;
};

const runs = ({ a, b }: Comparison): string => {
  const row = (which: string, { name, scenario, outcome, startedAt }: RunSide): string =>
    `<tr><th scope="row">${which}</th><td>${escapeHtml(name)}</td><td>${escapeHtml(scenario)}</td><td><span class="word ${outcome}">${outcome}</span></td><td>${escapeHtml(startedAt)}</td></tr>`;
  return table('The two runs', ['run', 'bundle', 'scenario', 'outcome', 'begun'], [row('a', a), row('b', b)]);
};

/** What both are looked at from and to, on the shared axis. */
const windowOf = (views: readonly View[]): Interval =>
  ({ fromMs: Math.min(...views.map(({ focus }) => focus.fromMs)), toMs: Math.max(...views.map(({ focus }) => focus.toMs)) });

const figure = (which: string, view: View, window: Interval, { name, outcome }: RunSide): string => {
  const claim = view.claims.findIndex((each) => each.outcome === 'violated' && each.interval !== null);
  const title = `Lanes of run ${which}, ${name}`;
  return `<figure id="picture-${which}" tabindex="0" aria-label="${escapeHtml(title)}"><figcaption><b>${which}</b> ${escapeHtml(name)}: ${outcome}</figcaption>\n${drawPicture(view, { id: `run-${which}`, width: WIDTH, window, claim, title })}\n</figure>`;
};

const pictures = ({ a, b, alignment: { mark, aMs, bMs } }: Comparison, inputs: readonly [ReportInput, ReportInput]): string => {
  const views = [shifted(viewOf(inputs[0]), -aMs), shifted(viewOf(inputs[1]), -bMs)] as const;
  const window = windowOf(views);
  const nought = mark === null ? 'the begin of what was driven' : `mark ${mark}`;
  return [
    '<section><h2>Both on one axis</h2>', `<p class="note">Nought is ${escapeHtml(nought)}: ${formatMs(aMs)} after the begin of a, ${formatMs(bMs)} after that of b.</p>`,
    figure('a', views[0], window, a), figure('b', views[1], window, b), '</section>',
  ].join('\n');
};

/** @param a and `b`: the runs that were compared */
export const renderComparison = (comparison: Comparison, a: ReportInput, b: ReportInput): string => {
  const since = comparison.alignment.mark === null ? 'From the begin on' : `From ${escapeHtml(comparison.alignment.mark)} on`;
  const body = [
    `<header><div class="brand"><span>hangup: two runs side by side</span></div><h1>${escapeHtml(agreement(comparison))}</h1></header>`, '<main>', runs(comparison),
    ...comparison.notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    `<section><h2>Claims</h2>\n${claims(comparison)}\n</section>`, differences('Run otherwise', comparison.differences, 'not said'),
    pictures(comparison, [a, b]), differences(since, comparison.measures, 'not there'), '</main>', '<footer>Made by hangup from the two bundles alone.</footer>',
  ].filter((part) => part !== '').join('\n');
  return pageOf({ title: `${agreement(comparison)} ${comparison.a.scenario}`, style: STYLE, body });
};
