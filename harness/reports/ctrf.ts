// The reporter for tools that read the Common Test Report Format (ctrf.io, its schema 0.0). That has no word for what could
// not be judged: it is `other`, and `rawStatus` has ours.
import { platform, release } from 'node:os';
import { basename } from 'node:path';
import { jsonText } from './json-text.ts';
import { notRunReason } from './not-run.ts';
import { reportedCells } from './reported-cells.ts';
import type { ReportedAttempt, ReportedCell } from './reported-cells.ts';
import type { NotRun, ReporterDefinition, ReportPlace, RunEnd } from './reporter.ts';
import { pagesOf, shownPath } from './shown-path.ts';
import { headline, lineOf, notApplicableOf, reasonsOf } from './status.ts';
import type { Status } from './status.ts';
import { titleOf } from './summary.ts';
import type { ClaimRow } from './summary.ts';
import { oneLine } from './text.ts';
import { systemOf } from './what-was-run.ts';

const STATUS = {
  passed: 'passed', failed: 'failed', known: 'skipped', 'does-not-apply': 'skipped',
  inconclusive: 'other', untestable: 'other', error: 'other', interrupted: 'other',
} as const satisfies Readonly<Record<Status, string>>;

const stepStatus = ({ outcome, standing }: ClaimRow, strict: boolean): string => {
  if (strict && (standing === 'known' || standing === 'fixed')) return 'failed';
  if (standing === 'right' || outcome === 'held') return 'passed';
  if (standing === 'known' || outcome === 'does-not-apply') return 'skipped';
  return outcome === 'violated' ? 'failed' : 'other';
};

const stepOf = (row: ClaimRow, strict: boolean): object => ({
  name: oneLine(titleOf(row)) || '?',
  status: stepStatus(row, strict),
  extra: { outcome: row.outcome, standing: row.standing, reason: oneLine(row.reason), ...(row.class ? { class: row.class } : {}) },
});

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', md: 'text/markdown' };

const whatOf = ({ summary, status }: ReportedAttempt, place: ReportPlace | undefined): object => {
  const trace = [...reasonsOf(summary).map(lineOf), ...notApplicableOf(summary).map((reason) => `does not apply: ${reason}`)];
  const startMs = summary.startedAt === null ? null : Date.parse(summary.startedAt);
  const pages = pagesOf(summary, place);
  return {
    status: STATUS[status],
    duration: Math.round(summary.tookMs),
    ...(startMs === null ? {} : { start: startMs, stop: startMs + Math.round(summary.tookMs) }),
    ...(status === 'passed' ? {} : { message: headline(summary, status) }),
    ...(trace.length === 0 ? {} : { trace: trace.join('\n') }),
    ...(pages.length === 0 ? {} : {
      attachments: pages.map((path) => ({ name: basename(path), contentType: TYPES[path.split('.').at(-1)!] ?? 'text/plain', path })),
    }),
  };
};

const testOf = (reported: ReportedCell, strict: boolean, place: ReportPlace | undefined): object => {
  const { cell, scenario, attempts, worst, isFlaky } = reported;
  const others = attempts.filter((attempt) => attempt !== worst);
  const { summary, status } = worst;
  return {
    testId: cell,
    name: oneLine(cell) || '?',
    ...whatOf(worst, place),
    rawStatus: status,
    type: 'e2e',
    suite: oneLine(scenario).split('/'),
    ...(summary.file === null ? {} : { filePath: oneLine(shownPath(summary.file, place)) }),
    ...(attempts.length === 1 ? {} : { retries: others.length, flaky: isFlaky }),
    ...(others.length === 0 ? {} : {
      retryAttempts: others.map((other) =>
        ({ attempt: other.summary.attempt, ...whatOf(other, place), extra: { rawStatus: other.status } })),
    }),
    steps: summary.rows.map((row) => stepOf(row, strict)),
    extra: { outcome: summary.outcome, attempt: summary.attempt, system: systemOf(summary), folder: summary.folder && shownPath(summary.folder, place) },
  };
};

/** The format's word for what was planned and has not been done. */
const pendingOf = (one: NotRun): object => ({
  name: oneLine(one.scenario) || '?', status: 'pending', duration: 0, rawStatus: 'not-run', type: 'e2e', message: notRunReason(one),
});

const summaryOf = (cells: readonly ReportedCell[], end: RunEnd): object => {
  const count = (wanted: string): number => cells.filter(({ worst }) => STATUS[worst.status] === wanted).length;
  const startMs = end.start?.startedAt === undefined ? 0 : Date.parse(end.start.startedAt);
  const { notRun = [], start: { seed } = {} } = end;
  return {
    tests: cells.length + notRun.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped'), pending: notRun.length, other: count('other'),
    flaky: cells.filter(({ isFlaky }) => isFlaky).length,
    suites: new Set(cells.map(({ scenario }) => scenario)).size,
    start: startMs, stop: startMs + Math.round(end.tookMs), duration: Math.round(end.tookMs),
    extra: { exitCode: end.exitCode, ...(seed === undefined ? {} : { seed }) },
  };
};

export const renderCtrf = (end: RunEnd, place?: ReportPlace): string => {
  const cells = reportedCells(end);
  const { system = null, version: appVersion = null } = cells[0]?.worst.summary ?? {};
  const { version, runtime, why } = end.start ?? {};
  const report = {
    reportFormat: 'CTRF', specVersion: '0.0.0', generatedBy: 'hangup',
    ...(end.folder === null ? {} : { runId: basename(end.folder) }),
    results: {
      tool: { name: 'hangup', ...(version === undefined ? {} : { version }) },
      summary: summaryOf(cells, end),
      environment: {
        ...(system ? { appName: oneLine(system) } : {}), ...(appVersion === null ? {} : { appVersion: oneLine(appVersion) }), osPlatform: platform(), osRelease: release(),
        ...(runtime === undefined ? {} : { testEnvironment: runtime, extra: { why: oneLine(why ?? '') } }),
      },
      tests: [...cells.map((cell) => testOf(cell, end.start?.strict ?? false, place)), ...(end.notRun ?? []).map(pendingOf)],
    },
  };
  return `${jsonText(report, 2)}\n`;
};

export const definition: ReporterDefinition = {
  kind: 'ctrf',
  about: 'for test dashboards, in the Common Test Report Format (JSON), claims as steps',
  fields: { options: {} },
  example: 'ctrf',
  file: 'ctrf-report.json',
  open: (output, place) => ({ end: (end) => output.write(renderCtrf(end, place)) }),
};
