// A whole invocation as one Markdown page, within a number of bytes: a table of all runs, then why, the worst first. What has
// no room is counted, never dropped in silence.
import { formatMs } from '../model/time.ts';
import type { RunEnd } from './reporter.ts';
import { reasonsOf, STATUSES, statusOf } from './status.ts';
import type { Status } from './status.ts';
import type { ScenarioSummary } from './summary.ts';
import { markdownCode, markdownText, plural } from './text.ts';

export type SetPageOptions = {
  /** Bytes of UTF-8 that the page may take. */
  readonly maximum?: number;
  /** Where a run's page is, from where this one lies; null for none. */
  readonly link?: (summary: ScenarioSummary) => string | null;
};

type Run = { readonly summary: ScenarioSummary; readonly status: Status };

/** The share of the page that the table may take where not everything fits. */
const TABLE_SHARE = 0.5;
/** For lines that say what was left out. */
const RESERVED = 400;

const bytes = (text: string): number => Buffer.byteLength(text) + 1;

/** As many as fit, from the first on. */
const fitting = (texts: readonly string[], maximum: number): readonly string[] => {
  let left = maximum;
  const end = texts.findIndex((text) => (left -= bytes(text)) < 0);
  return end < 0 ? texts : texts.slice(0, end);
};

const statusText = (status: Status): string => (status === 'failed' || status === 'error' ? `**${status}**` : status);

const linked = (text: string, target: string | null): string =>
  target === null ? text : `[${text}](${encodeURI(target).replace(/[()<>]/g, encodeURIComponent)})`;

const rowOf = ({ summary, status }: Run, link: SetPageOptions['link']): string => {
  const { held, violated, inconclusive } = summary.counts;
  const name = linked(markdownText(summary.scenario), link?.(summary) ?? null);
  const cells = [name, statusText(status), held, violated, inconclusive, summary.counts['does-not-apply'], formatMs(summary.tookMs)];
  return `| ${cells.join(' | ')} |`;
};

const whyOf = ({ summary, status }: Run): string => [
  `### ${markdownText(summary.scenario)}: ${status}`, '',
  ...reasonsOf(summary).map(({ word, of, why }) => `- ${markdownText(word)}${of === '' ? '' : ` ${markdownCode(of)}`}: ${markdownText(why)}`),
  ...(summary.folder === null ? [] : ['', `Evidence: ${markdownCode(summary.folder)}`]), '',
].join('\n');

const notApplicable = (runs: readonly Run[]): readonly string[] => {
  const rows = runs.flatMap(({ summary }) => summary.rows.filter((row) => row.outcome === 'does-not-apply'));
  const byReason = Map.groupBy(rows, ({ reason }) => reason);
  return [...byReason].map(([reason, all]) =>
    `- ${[...new Set(all.map(({ claim }) => claim))].sort().map(markdownCode).join(', ')}: ${markdownText(reason)} (${plural(all.length, 'claim')})`);
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
const section = (heading: string, lines: readonly string[]): string => (lines.length === 0 ? '' : [`## ${heading}`, '', ...lines, ''].join('\n'));

const leftOut = (shown: number, all: number, noun: string): readonly string[] =>
  shown === all ? [] : ['', `${shown === 0 ? '' : 'And '}${plural(all - shown, shown === 0 ? noun : `more ${noun}`)}, left out here: the page would be too long.`];

export const renderSetPage = (end: RunEnd, { maximum = Number.MAX_SAFE_INTEGER, link }: SetPageOptions = {}): string => {
  const runs = end.summaries
    .map((summary): Run => ({ summary, status: statusOf(summary, end.start?.strict) }))
    .sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status) || (a.summary.scenario < b.summary.scenario ? -1 : 1));
  const head = ['# hangup', '', totals(runs, end), ''].join('\n');
  const tableHead = '| scenario | outcome | held | violated | inconclusive | n/a | time |\n| --- | --- | --- | --- | --- | --- | --- |';
  let left = maximum - RESERVED - bytes(head) - bytes(tableHead);
  const rows = fitting(runs.map((run) => rowOf(run, link)), Math.floor(left * TABLE_SHARE));
  left -= rows.reduce((sum, row) => sum + bytes(row), 0);
  const telling = runs.filter(({ summary }) => reasonsOf(summary).length > 0);
  const whys = fitting(telling.map(whyOf), left);
  left -= whys.reduce((sum, why) => sum + bytes(why), 0);
  const flaky = section('Flaky', (end.flaky ?? []).map(({ scenario, outcomes }) => `- ${markdownText(scenario)}: ${outcomes.join(', ')}`));
  const absent = section('Does not apply', notApplicable(runs));
  const rest = [flaky, absent].filter((text) => text !== '' && (left -= bytes(text)) >= 0);
  const parts = [
    head,
    ...(runs.length === 0 ? [] : [[tableHead, ...rows, ...leftOut(rows.length, runs.length, 'run'), ''].join('\n')]),
    ...(telling.length === 0 ? [] : [['## Why', '', ...whys, ...leftOut(whys.length, telling.length, 'run'), ''].join('\n')]),
    ...rest,
  ];
  return `${parts.join('\n').replace(/\n{3,}/g, '\n\n').trimEnd()}\n`;
};
