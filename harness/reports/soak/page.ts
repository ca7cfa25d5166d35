// soak.html: the morning after. One page, one file, nothing to be fetched: what is new, what is flaky, what grows, what was kept, and where
// to look first; its links lead to the bundles beside it.
import { formatMs } from '../../model/time.ts';
import type { SoakCell, SoakNight, SoakSymptom, Trend } from '../../model/soak.ts';
import { escapeHtml, pathToHref } from '../page/escape.ts';
import { pageOf } from '../page/page.ts';
import { plural } from '../text.ts';
import { looksFirst, NOWHERE } from './looks.ts';
import { trendPicture } from './pictures.ts';
import { beforeWords, comparedWords, diskLines, factsLine, fixedWords, headline, isTold, OUTCOME_LOOKS, OUTCOME_WORDS, rateText, sinceWords, tookWords } from './words.ts';

const STYLE = `
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.soft{color:var(--soft);font-size:13px}
.first{padding-left:22px}
.first li{margin:4px 0;overflow-wrap:anywhere}
.spark{border:1px solid var(--border);border-radius:4px;background:var(--panel);max-width:100%}
.spark polyline{fill:none;stroke:var(--link);stroke-width:1.5;stroke-linejoin:round}
.spark.grows polyline{stroke:var(--tone-bad)}
.spark .warming{fill:var(--shade)}
.seen{margin:0;padding:0;list-style:none}
.seen li{margin:2px 0;overflow-wrap:anywhere}
tbody th{font-weight:600;overflow-wrap:anywhere;min-width:12em}
.names{columns:3 260px;font-size:13.5px;padding-left:18px}
@media (max-width:700px){table,tbody,tr,td,tbody th{display:block;border:0;padding:2px 0}thead{display:none}tr{border-bottom:1px solid var(--border);padding:8px 0}.number{text-align:left}}
`;

const MAXIMUM_SYMPTOMS = 6;

const link = (bundle: string | null, text: string): string =>
  bundle === null ? escapeHtml(text) : `<a href="${pathToHref(`${bundle}/report.html`)}">${escapeHtml(text)}</a>`;

const word = (look: string, text: string): string => `<span class="word ${look}">${escapeHtml(text)}</span>`;

const LOOK: Readonly<Record<SoakSymptom['outcome'], string>> = { violated: 'violated', inconclusive: 'inconclusive', error: 'error' };

const symptomItem = (symptom: SoakSymptom, nights: number): string => {
  const { words, outcome, count, isNew, bundle } = symptom;
  const since = sinceWords(symptom, nights);
  const age = since === null ? '' : isNew ? `${word('violated', since)} ` : `<span class="soft">${escapeHtml(since)}</span> `;
  return `<li>${word(LOOK[outcome], outcome)} ${age}${link(bundle, words)} <span class="soft">${plural(count, 'time')}${bundle === null ? ', no bundle left' : ''}</span></li>`;
};

const cellRow = (cell: SoakCell, nights: number): string => {
  const { symptoms, gone, notPassed, before, change, kept } = cell;
  const hidden = symptoms.length - MAXIMUM_SYMPTOMS;
  const items = [
    ...symptoms.slice(0, MAXIMUM_SYMPTOMS).map((each) => symptomItem(each, nights)), ...(hidden > 0 ? [`<li class="soft">and ${hidden} more</li>`] : []),
    ...gone.slice(0, MAXIMUM_SYMPTOMS).map((words) => `<li>${word('fixed', 'not seen tonight')} ${escapeHtml(words)}</li>`),
  ];
  const fixed = fixedWords(cell);
  if (fixed !== null) items.push(`<li>${word('fixed', 'fixed')} ${escapeHtml(fixed)}</li>`);
  const took = tookWords(cell);
  const tookCell = took === null ? '' : `${took.now}${took.before === null ? '' : `<br><span class="soft">${took.before}</span>`}`;
  const passes = kept.filter(({ because }) => because.includes('that passed')).map(({ folder, because }) => link(folder, because)).join(', ');
  return [
    `<tr><th scope="row">${escapeHtml(cell.cell)}</th>`,
    `<td>${escapeHtml(rateText(notPassed))}${change === null ? '' : ` ${word(change === 'more often' ? 'violated' : 'held', change)}`}`,
    `${before === null ? '' : `<br><span class="soft">${escapeHtml(beforeWords(before))}</span>`}</td>`,
    `<td><ul class="seen">${items.join('')}</ul>${passes === '' ? '' : `<span class="soft">${passes}</span>`}</td><td class="number">${tookCell}</td></tr>`,
  ].join('');
};

const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;

const trendRow = (trend: Trend): string =>
  `<tr><th scope="row">${escapeHtml(`${trend.measure} of ${trend.of}`)}<br><span class="soft">${escapeHtml(trend.how)}</span></th>` +
  `<td>${word(OUTCOME_LOOKS[trend.outcome], OUTCOME_WORDS[trend.outcome])}</td><td>${trendPicture(trend)}</td><td>${escapeHtml(trend.why)}</td></tr>`;

const ORDER: readonly Trend['outcome'][] = ['grows', 'cannot-tell', 'flat'];

const trendSection = ({ trends, noLife }: SoakNight): string => [
  '<h2>What grows, and what does not</h2>',
  '<p class="note">Slopes after Theil and Sen with 95 % intervals, tests after Mann and Kendall; what is said to grow is more than chance with all of these taken together. Shaded: warming up, left out.</p>',
  ...(noLife === null ? [] : [`<p>${escapeHtml(noLife)}.</p>`]),
  table(['What', '', 'All night', 'Why'], trends.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome)).map(trendRow)),
].join('\n');

const names = (title: string, all: readonly string[]): readonly string[] =>
  all.length === 0 ? [] : [`<details><summary>${escapeHtml(`${title} (${all.length})`)}</summary><ul class="names">${all.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul></details>`];

const firstLooks = (night: SoakNight): string => {
  const looks = looksFirst(night);
  return looks.length === 0 ? `<p>Nowhere: ${NOWHERE}.</p>` : `<ol class="first">${looks.map(({ what, bundle }) => `<li>${link(bundle, what)}</li>`).join('')}</ol>`;
};

const passedLine = (cell: SoakCell): string =>
  `${cell.cell}: ${rateText(cell.notPassed)}${cell.known === 0 ? '' : `, known violations in ${plural(cell.known, 'run')}`}${cell.medianMs === null ? '' : `, ${formatMs(cell.medianMs)}`}`;

/** @returns a whole document, to lie in the folder of the night */
export const soakPage = (night: SoakNight): string => {
  const told = night.cells.filter(isTold);
  const [judged, unjudged] = [night.cells.filter((cell) => !isTold(cell) && cell.notPassed.of > 0), night.cells.filter((cell) => !isTold(cell) && cell.notPassed.of === 0)];
  const outages = night.outages.map(({ atMs, forMs, why }) => `after ${formatMs(atMs)} for ${formatMs(forMs)}: ${why}`);
  const body = [
    `<header><div class="brand"><span>hangup: a night</span></div><h1>${escapeHtml(headline(night))}</h1>`,
    `<p class="facts">${escapeHtml(factsLine(night))}</p></header>`, '<main>',
    '<h2>Where to look first</h2>', firstLooks(night),
    '<h2>What was not always passed, or has changed</h2>',
    told.length === 0
      ? '<p>Nothing.</p>'
      : table(['Scenario', 'Not passed (95 % interval)', 'Seen', 'Took'], told.map((cell) => cellRow(cell, night.history.nights))),
    ...(told.some(({ change }) => change !== null) ? ['<p class="note">More often, less often: more than chance (the exact test of Fisher), with all scenarios of the night taken together.</p>'] : []),
    trendSection(night),
    '<h2>What was kept, and what was removed</h2>', ...diskLines(night).map((line) => `<p>${escapeHtml(line)}</p>`),
    '<h2>The rest</h2>',
    `<p>${comparedWords(night)}${night.history.note === null ? '' : ` ${escapeHtml(night.history.note)}.`}</p>`,
    ...names('The engine was away', outages), ...names('Passed each time', judged.map(passedLine)),
    ...names('Begun and never judged', unjudged.map(({ cell }) => cell)), ...names('Had no turn', night.notReached), ...names('Does not apply', night.doesNotApply),
    '</main>', `<footer>Made by hangup ${escapeHtml(night.version)}; the same as data is in soak.json.</footer>`,
  ].join('\n');
  return pageOf({ title: `hangup: ${headline(night)}`, style: STYLE, body });
};
