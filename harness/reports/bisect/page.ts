// The page of a search: while it goes on the browser reads it again by itself, when it is over it is the report. One offline file
// without scripts.
import { formatMs } from '../../model/time.ts';
import { escapeHtml, pathToHref } from '../page/escape.ts';
import { pageOf } from '../page/page.ts';
import { plural } from '../text.ts';
import { strip } from './strip.ts';
import { ratesWords, statusLine } from './text.ts';
import { askedWords, borderRoles, percent, withAbout } from './view.ts';
import type { BisectResult, BisectView, GridView, LineView, Neighbour, ProbeRow, Standing, VersionStanding } from './view.ts';

const REFRESH_SECONDS = 3;
/** More rows than this make a page slow to be read every few seconds. */
const MOST_ROWS = 400;

const STYLE = `
.answer{font-size:18px;margin:10px 0}
.strip{display:block;width:100%;height:34px;margin:8px 0 2px}
.strip .none{fill:var(--border)}.strip .good{fill:var(--tone-good)}.strip .bad{fill:var(--tone-bad)}
.strip .other{fill:var(--tone-warn)}.strip .untestable{fill:var(--soft)}.strip .likely{fill:var(--link)}
.ends{display:flex;justify-content:space-between;color:var(--soft);font-size:13px}
td.number{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap}
`;

const LOOKS: Readonly<Record<string, string>> = { good: 'held', bad: 'violated', other: 'inconclusive', unclear: 'inconclusive', untestable: 'does-not-apply', stopped: 'error' };

const word = (answer: string): string => `<span class="word ${LOOKS[answer] ?? 'error'}">${escapeHtml(answer)}</span>`;

const table = (title: string, head: readonly string[], rows: readonly string[]): string => [
  `<div class="scroll" role="region" tabindex="0" aria-label="${title}"><table>`,
  `<thead><tr>${head.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead><tbody>`, ...rows, '</tbody></table></div>',
].join('\n');

const standingWords = ({ good, bad, other, unclear, untestable }: Standing): string => {
  if (untestable !== null) return `${word('untestable')} ${escapeHtml(untestable)}`;
  const counted = [['good', good], ['bad', bad], ['other', other], ['unclear', unclear]] as const;
  return counted.filter(([, count]) => count > 0).map(([answer, count]) => `${word(answer)} ${count}`).join(' ');
};

const wasTouched = (version: VersionStanding): boolean =>
  version.good + version.bad + version.other + version.unclear > 0 || version.untestable !== null || (version.role !== null && version.role !== 'possible');

const lineSection = (line: LineView, isBackwards: boolean): string => {
  const shown = line.versions.filter(wasTouched).slice(0, MOST_ROWS);
  const rows = shown.map((version) => {
    const likely = version.likely === null ? '' : percent(version.likely);
    return `<tr><th scope="row">${escapeHtml(withAbout(version.value, version.about))}</th><td>${standingWords(version)}</td><td class="number">${likely}</td><td>${version.role ?? ''}</td></tr>`;
  });
  const hidden = line.versions.length - shown.length;
  return [
    `<section><h2>${escapeHtml(line.axis)}</h2>`,
    strip(line.versions, isBackwards),
    `<div class="ends"><span>${escapeHtml(line.versions[0]?.value ?? '')}</span><span>${escapeHtml(line.versions.at(-1)?.value ?? '')}</span></div>`,
    table(`Values of ${escapeHtml(line.axis)}`, [escapeHtml(line.axis), 'runs', `${borderRoles(isBackwards).bad} here`, ''], rows),
    hidden > 0 ? `<p class="note">${plural(hidden, 'value')} more, never run.</p>` : '',
    '</section>',
  ].join('\n');
};

const gridSection = ({ axes: [across, down], columns, rows }: GridView): string => {
  const body = rows.map(({ value, cells }) => `<tr><th scope="row">${escapeHtml(value)}</th>${cells.map((cell) => `<td>${standingWords(cell)}</td>`).join('')}</tr>`);
  return [
    `<section><h2>${escapeHtml(down)} below, ${escapeHtml(across)} across</h2>`,
    table(`${escapeHtml(down)} and ${escapeHtml(across)}`, ['', ...columns.map((value) => escapeHtml(value))], body), '</section>',
  ].join('\n');
};

const probeRow = ({ number, at, about, answer, why, page, tookMs, endedAt }: ProbeRow): string => {
  const name = escapeHtml(withAbout(at, about));
  const shown = page === null ? name : `<a href="${pathToHref(page)}">${name}</a>`;
  return `<tr><td class="number">${number}</td><th scope="row">${shown}</th><td>${word(answer)} ${escapeHtml(why)}</td><td class="when">${formatMs(tookMs)}</td><td class="when">${escapeHtml(endedAt)}</td></tr>`;
};

const neighbour = (one: Neighbour | null): string => {
  if (one === null) return '';
  const page = one.evidence === null ? '' : ` <a href="${pathToHref(`${one.evidence}/report.html`)}">evidence</a>`;
  return `<tr><th scope="row">${one.role}</th><td>${escapeHtml(withAbout(one.at, one.about))}</td><td>${one.bad} of ${plural(one.runs, 'run')} bad</td><td>${page}</td></tr>`;
};

const resultSection = (result: BisectResult, view: BisectView): string => {
  const hasBoth = Boolean(result.good?.evidence && result.bad?.evidence);
  const beside = view.commands.map(({ what, command }) => `<p>${escapeHtml(what)}:</p><pre>${escapeHtml(command)}</pre>`);
  return [
    '<section><h2>Answer</h2>',
    `<p class="answer">${escapeHtml(result.sentence)}</p>`,
    result.confidence === null ? '' : `<p>Confidence ${percent(result.confidence)}; ${percent(view.wantedConfidence)} was asked for.</p>`,
    result.rates === null ? '' : `<p>${escapeHtml(`E${ratesWords(result.rates).slice(1)}`)}.</p>`,
    result.good || result.bad ? table('Neighbours', ['', 'at', 'runs', ''], [result.good, ...result.alsoGood, result.bad].map(neighbour)) : '',
    hasBoth ? '<p><a href="comparison.html">Both beside each other</a></p>' : '',
    result.width.length === 0 ? '' : table('Not told apart', ['not told apart', 'why'], result.width.map(({ value, why }) => `<tr><th scope="row">${escapeHtml(value)}</th><td>${escapeHtml(why)}</td></tr>`)),
    ...beside, '</section>',
  ].filter((part) => part !== '').join('\n');
};

const headOf = (view: BisectView): string => [
  `<header><div class="brand"><span>hangup: ${askedWords(view)}</span></div>`,
  `<h1>${escapeHtml(view.scenario)}</h1>`,
  `<p class="facts">${escapeHtml(`${view.system} · ${view.runtime} · good ${view.from} · bad ${view.to} · begun ${view.startedAt} · as of ${view.updatedAt}`)}</p>`,
  `<p role="status">${escapeHtml(statusLine(view))}</p>`,
  view.symptom === null ? '' : `<p>Looked for: ${escapeHtml(view.symptom.words)} <code>${escapeHtml(view.symptom.fingerprint)}</code></p>`,
  '</header>',
].filter((part) => part !== '').join('\n');

/** @param isLive it will be written again: whoever has it open sees that by itself */
export const renderBisect = (view: BisectView, isLive: boolean): string => {
  const probes = view.probes.toReversed().slice(0, MOST_ROWS);
  const hidden = view.probes.length - probes.length;
  const body = [
    headOf(view), '<main>',
    ...(view.result ? [resultSection(view.result, view)] : []),
    ...(view.line ? [lineSection(view.line, view.isBackwards)] : []), ...(view.grid ? [gridSection(view.grid)] : []),
    '<section><h2>Runs, the newest first</h2>', table('Runs', ['', 'at', 'said', 'took', 'ended'], probes.map(probeRow)),
    hidden > 0 ? `<p class="note">${plural(hidden, 'earlier run')} in bisect.json.</p>` : '', '</section>',
    '</main>', '<footer>Made by hangup from bisect.json in this folder.</footer>',
  ].join('\n');
  const title = view.result ? view.result.sentence : `bisect: ${view.scenario}`;
  return pageOf({ title, style: STYLE, body, ...(isLive ? { refreshSeconds: REFRESH_SECONDS } : {}) });
};
