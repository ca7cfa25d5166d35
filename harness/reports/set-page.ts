// A whole invocation as one Markdown page, within a number of bytes: a table of all runs, then why, the worst first. What has
// no room is counted, never dropped in silence.
import { formatMs } from '../model/time.ts';
import { busyHint } from './busy.ts';
import { gridsOf } from './grid/grid.ts';
import { gridText } from './grid/text.ts';
import { notNeededLines, notRunLines } from './not-run.ts';
import type { ReportPlace, RunEnd } from './reporter.ts';
import { shownPath } from './shown-path.ts';
import { reasonsOf, STATUSES, statusOf } from './status.ts';
import type { Reason, Status } from './status.ts';
import type { ScenarioSummary } from './summary.ts';
import { markdownCode, markdownText, plural } from './text.ts';
import { hasSeveral, systemOf, whatWasRun } from './what-was-run.ts';

export type SetPageOptions = {
  /** Bytes of UTF-8 that the page may take. */
  readonly maximum?: number;
  /** Where a run's page is, from where this one lies; null for none. */
  readonly link?: (summary: ScenarioSummary) => string | null;
  readonly place?: ReportPlace;
};

type Run = { readonly summary: ScenarioSummary; readonly status: Status };

/** The share of the page that the table may take where not everything fits. */
const TABLE_SHARE = 0.5;
/** Of a block of plain text. */
const PAGE_COLUMNS = 110;
/** For lines that say what was left out. */
const RESERVED = 400;

const weightOf = ({ status }: Run): number => STATUSES.indexOf(status);

const bytes = (text: string): number => Buffer.byteLength(text) + 1;

/** As many as fit, from the first on. */
const fitting = (texts: readonly string[], maximum: number): readonly string[] => {
  let left = maximum;
  const end = texts.findIndex((text) => (left -= bytes(text)) < 0);
  return end < 0 ? texts : texts.slice(0, end);
};

const statusText = (status: Status): string => (status === 'failed' || status === 'error' ? `**${status}**` : status);

const encoded = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replace(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const linked = (text: string, target: string | null): string =>
  target === null ? text : `[${text}](${target.split('/').map(encoded).join('/')})`;

/** @param several whether each must say which system was its own */
const rowOf = ({ summary, status }: Run, several: boolean, link: SetPageOptions['link']): string => {
  const { held, violated, inconclusive } = summary.counts;
  const name = linked(markdownText(summary.scenario), link?.(summary) ?? null);
  const system = several ? [markdownText(systemOf(summary) ?? '')] : [];
  const cells = [name, ...system, statusText(status), held, violated, inconclusive, summary.counts['does-not-apply'], formatMs(summary.tookMs)];
  return `| ${cells.join(' | ')} |`;
};

const reasonLine = ({ word, of, why }: Reason): string =>
  `- ${markdownText(word)}${of === '' ? '' : ` ${markdownCode(of)}`}: ${markdownText(why)}`;

const whyOf = ({ summary, status }: Run, place: ReportPlace | undefined): string => [
  `### ${markdownText(summary.scenario)}: ${status}`, '', ...reasonsOf(summary).map(reasonLine),
  ...(summary.folder === null ? [] : ['', `Evidence: ${markdownCode(shownPath(summary.folder, place))}`]), '',
].join('\n');

const notApplicable = (runs: readonly Run[]): readonly string[] => {
  const rows = runs.flatMap(({ summary }) => summary.rows.filter((row) => row.outcome === 'does-not-apply'));
  return [...Map.groupBy(rows, ({ reason }) => reason)].map(([reason, all]) => {
    const claims = [...new Set(all.map(({ claim }) => claim))].sort().map(markdownCode).join(', ');
    return `- ${claims}: ${markdownText(reason)} (${plural(all.length, 'claim')})`;
  });
};

const totals = (runs: readonly Run[], { exitCode, tookMs }: RunEnd): string => {
  const counts = STATUSES.flatMap((status) => {
    const count = runs.filter((run) => run.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  const what = runs.length === 0 ? 'Nothing was run' : `${plural(runs.length, 'run')}: ${counts.join(', ')}`;
  return `${what} in ${formatMs(tookMs)}. Exit code ${exitCode}.`;
};

/** A heading and what is below it; nothing where there is nothing. */
const section = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`## ${heading}`, '', ...lines, ''].join('\n');

const leftOut = (shown: number, all: number): readonly string[] =>
  shown === all ? [] : ['', `And ${plural(all - shown, 'more run')}, left out here: the page would be too long.`];

const headOf = (runs: readonly Run[], end: RunEnd): string => {
  const [what, hint] = [runs.length === 0 ? null : whatWasRun(end), busyHint(end.summaries)];
  return ['# hangup', '', totals(runs, end), '', ...[what && `Run ${what}.`, ...notRunLines(end), ...notNeededLines(end), hint].flatMap((line) => (line ? [markdownText(line), ''] : []))].join('\n');
};

const tableHeadOf = (several: boolean): string => {
  const names = ['scenario', ...(several ? ['system'] : []), 'outcome', 'held', 'violated', 'inconclusive', 'n/a', 'time'];
  return `| ${names.join(' | ')} |\n| ${names.map(() => '---').join(' | ')} |`;
};

export const renderSetPage = (end: RunEnd, { maximum = Number.MAX_SAFE_INTEGER, link, place }: SetPageOptions = {}): string => {
  const runs = end.summaries
    .map((summary): Run => ({ summary, status: statusOf(summary, end.start?.strict) }))
    .sort((a, b) => weightOf(a) - weightOf(b) || (a.summary.scenario < b.summary.scenario ? -1 : 1));
  const head = headOf(runs, end);
  const several = hasSeveral(end.summaries);
  const tableHead = tableHeadOf(several);
  let left = maximum - RESERVED - bytes(head) - bytes(tableHead);
  const rows = fitting(runs.map((run) => rowOf(run, several, link)), Math.floor(left * TABLE_SHARE));
  left -= rows.reduce((sum, row) => sum + bytes(row), 0);
  const telling = runs.filter(({ summary }) => reasonsOf(summary).length > 0);
  const whys = fitting(telling.map((run) => whyOf(run, place)), left);
  left -= whys.reduce((sum, why) => sum + bytes(why), 0);
  const grids = gridText(gridsOf(end), PAGE_COLUMNS);
  const sections: readonly (readonly [string, string])[] = [
    ['Over the axes', section('Over the axes', grids.length === 0 ? [] : ['```text', ...grids.map((line) => line.replaceAll('`', "'")), '```'])],
    ['Flaky', section('Flaky', (end.flaky ?? []).map(({ scenario, outcomes }) => `- ${markdownText(scenario)}: ${outcomes.join(', ')}`))],
    ['Does not apply', section('Does not apply', notApplicable(runs))],
  ];
  const rest = sections.map(([heading, text]) => {
    if (text === '' || bytes(text) > left) return text === '' ? '' : `"${heading}" is left out here: the page would be too long.\n`;
    left -= bytes(text);
    return text;
  });
  const parts = [
    head,
    ...(runs.length === 0 ? [] : [[tableHead, ...rows, ...leftOut(rows.length, runs.length), ''].join('\n')]),
    ...(telling.length === 0 ? [] : [['## Why', '', ...whys, ...leftOut(whys.length, telling.length), ''].join('\n')]),
    ...rest,
  ];
  return `${parts.join('\n').replace(/\n{3,}/g, '\n\n').trimEnd()}\n`;
};
