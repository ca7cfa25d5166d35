// The reporter for CI servers: JUnit XML in the form that Surefire, GitLab and Jenkins read. A test is a cell of a scenario:
// `failure` speaks of the system, `error` of the harness and of what could not be judged, which must not look like a pass.
// xmlbuilder2 escapes, and replaces what XML cannot hold.
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { notRunReason } from './not-run.ts';
import { reportedCells } from './reported-cells.ts';
import type { ReportedAttempt, ReportedCell } from './reported-cells.ts';
import type { ReporterDefinition, ReportPlace, RunEnd } from './reporter.ts';
import { pagesOf, shownPath } from './shown-path.ts';
import { headline, lineOf, notApplicableOf, reasonsOf } from './status.ts';
import type { Status } from './status.ts';
import { titleOf } from './summary.ts';
import { oneLine } from './text.ts';

type Kind = 'passed' | 'failure' | 'error' | 'skipped';

const KINDS: Readonly<Record<Status, Kind>> = {
  passed: 'passed', failed: 'failure', known: 'skipped', 'does-not-apply': 'skipped',
  inconclusive: 'error', untestable: 'error', error: 'error', interrupted: 'error',
};

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const textOf = ({ summary }: ReportedAttempt, place: ReportPlace | undefined): string => [
  ...reasonsOf(summary).map(lineOf),
  ...(summary.folder === null ? [] : [`evidence: ${shownPath(summary.folder, place)}`]),
].join('\n');

/** What the attempt ended with, beside its message. */
const typeOf = ({ summary, status }: ReportedAttempt): string => {
  if (status === 'error') return summary.problems[0]?.code ?? 'error';
  if (status !== 'failed') return status;
  return summary.otherwise !== null ? 'concluded-otherwise' : summary.counts.violated > 0 ? 'violated' : 'fixed';
};

const addRerun = (test: XMLBuilder, name: string, attempt: ReportedAttempt, place: ReportPlace | undefined): void => {
  const message = `attempt ${attempt.summary.attempt}: ${headline(attempt.summary, attempt.status)}`;
  test.ele(name, { message, type: typeOf(attempt) }).ele('stackTrace').txt(textOf(attempt, place));
};

const isBad = ({ status }: ReportedAttempt): boolean => KINDS[status] === 'failure' || KINDS[status] === 'error';

/** The elements by which readers tell what became of a test, in the order of Surefire's schema. */
const addOutcome = (test: XMLBuilder, cell: ReportedCell, place: ReportPlace | undefined): void => {
  const { worst, attempts, isFlaky } = cell;
  const kind = KINDS[worst.status];
  const passed = attempts.filter(({ status }) => status === 'passed').length;
  const flaky = isFlaky ? `flaky, ${passed} of ${attempts.length} attempts passed; ` : '';
  const others = attempts.filter((attempt) => isBad(attempt) && (isFlaky || attempt !== worst));
  const add = (of: 'failure' | 'error'): void => {
    const message = flaky + headline(worst.summary, worst.status);
    if (kind === of) test.ele(of, { message, type: typeOf(worst) }).txt(textOf(worst, place));
  };
  const addOthers = (of: Kind, name: string): void =>
    others.filter(({ status }) => KINDS[status] === of).forEach((attempt) => addRerun(test, name, attempt, place));
  add('failure');
  addOthers('failure', isFlaky ? 'flakyFailure' : 'rerunFailure');
  if (kind === 'skipped') test.ele('skipped', { message: headline(worst.summary, worst.status) });
  add('error');
  addOthers('error', isFlaky ? 'flakyError' : 'rerunError');
};

const addProperties = (test: XMLBuilder, { attempts, worst, isFlaky }: ReportedCell): void => {
  const { summary, status } = worst;
  const all: readonly (readonly [string, string])[] = [
    ['status', status], ['outcome', summary.outcome],
    ...(attempts.length === 1 ? [] : Object.entries({ attempts: attempts.map((each) => each.status).join(', '), flaky: String(isFlaky) })),
    ...summary.rows.map((row): readonly [string, string] =>
      [`claim ${oneLine(titleOf(row))}`, row.standing ? `${row.outcome} (${row.standing})` : row.outcome]),
  ];
  const properties = test.ele('properties');
  for (const [name, value] of all) properties.ele('property', { name, value });
};

/** Lines that Jenkins and GitLab look for. A path that would end one early is left out. */
const attachmentsOf = ({ attempts }: ReportedCell, place: ReportPlace | undefined): readonly string[] =>
  attempts
    .flatMap(({ summary }) => pagesOf(summary, place))
    .filter((path) => path === oneLine(path, path.length) && !path.includes(']]'))
    .map((path) => `[[ATTACHMENT|${path}]]`);

const addTest = (suite: XMLBuilder, cell: ReportedCell, place: ReportPlace | undefined): void => {
  const { file } = cell.worst.summary;
  const test = suite.ele('testcase', {
    name: oneLine(cell.cell), classname: oneLine(cell.scenario).replaceAll('/', '.'), time: seconds(cell.tookMs),
    ...(file === null ? {} : { file: shownPath(file, place) }),
  });
  addProperties(test, cell);
  addOutcome(test, cell, place);
  const { summary } = cell.worst;
  const notes = [
    ...(isBad(cell.worst) ? [] : reasonsOf(summary).map(lineOf)),
    ...notApplicableOf(summary).map((reason) => `does not apply: ${reason}`), ...attachmentsOf(cell, place),
  ];
  if (notes.length > 0) test.ele('system-out').txt(notes.join('\n'));
};

const countsOf = (cells: readonly ReportedCell[]): Readonly<Record<string, string>> => {
  const count = (kind: Kind): string => String(cells.filter(({ worst }) => KINDS[worst.status] === kind).length);
  const time = seconds(cells.reduce((sum, { tookMs }) => sum + tookMs, 0));
  return { tests: String(cells.length), failures: count('failure'), errors: count('error'), skipped: count('skipped'), time };
};

/** ISO 8601 without the zone, as the format wants it; UTC. */
const stampOf = (iso: string | null | undefined): { readonly timestamp?: string } => (iso ? { timestamp: iso.replace(/Z$/, '') } : {});

const firstStart = (cells: readonly ReportedCell[]): string | undefined =>
  cells.flatMap(({ attempts }) => attempts.flatMap(({ summary }) => summary.startedAt ?? [])).sort()[0];

type Suite = readonly [scenario: string, cells: readonly ReportedCell[]];

const addSuite = (root: XMLBuilder, [scenario, cells]: Suite, end: RunEnd, place: ReportPlace | undefined): void => {
  const suite = root.ele('testsuite', { name: oneLine(scenario), ...countsOf(cells), ...stampOf(firstStart(cells)) });
  const { system, version, planted } = cells[0]!.worst.summary;
  const told = Object.entries({ system, version, planted: planted.join(', ') || null, runtime: end.start?.runtime ?? null, seed: end.start?.seed?.toString() ?? null }).filter(([, value]) => value !== null);
  if (told.length > 0) {
    const properties = suite.ele('properties');
    for (const [name, value] of told) properties.ele('property', { name, value: oneLine(value!) });
  }
  for (const cell of cells) addTest(suite, cell, place);
};

/** A suite of their own: they have no outcome, and take no time. */
const addNotRun = (root: XMLBuilder, notRun: NonNullable<RunEnd['notRun']>): void => {
  if (notRun.length === 0) return;
  const count = String(notRun.length);
  const suite = root.ele('testsuite', { name: 'not run', tests: count, failures: '0', errors: '0', skipped: count, time: seconds(0) });
  for (const one of notRun) {
    const name = oneLine(one.scenario);
    const test = suite.ele('testcase', { name, classname: name.replace(/[[ ].*$/s, '').replaceAll('/', '.'), time: seconds(0) });
    test.ele('skipped', { message: notRunReason(one) });
  }
};

const withNotRun = (counts: Readonly<Record<string, string>>, count: number): Readonly<Record<string, string>> =>
  ({ ...counts, tests: String(Number(counts.tests) + count), skipped: String(Number(counts.skipped) + count) });

/** One suite after the other, each in a document of its own: thousands of them would be hundreds of megabytes as one. */
export const renderJunit = async (end: RunEnd, place?: ReportPlace): Promise<string> => {
  // Loaded when it is needed: it takes longer than a whole `hangup --help`.
  const { create } = await import('xmlbuilder2');
  const fresh = () => create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' });
  const cells = reportedCells(end);
  const { notRun = [] } = end;
  const partOf = (add: (root: XMLBuilder) => void): string => {
    const root = fresh().ele('testsuites');
    add(root);
    return root.map((suite) => suite.toString({ prettyPrint: true, offset: 1 })).join('\n');
  };
  const suites = [...Map.groupBy(cells, ({ scenario }) => scenario)].map((suite) => partOf((root) => addSuite(root, suite, end, place)));
  const parts = [...suites, partOf((root) => addNotRun(root, notRun))].filter((part) => part !== '');
  const document = fresh();
  document.ele('testsuites', { name: 'hangup', ...withNotRun(countsOf(cells), notRun.length), time: seconds(end.tookMs), ...stampOf(end.start?.startedAt) });
  const whole = document.end({ prettyPrint: true });
  return parts.length === 0 ? `${whole}\n` : `${whole.replace(/\/>$/, '>')}\n${parts.join('\n')}\n</testsuites>\n`;
};

export const definition: ReporterDefinition = {
  kind: 'junit',
  about: 'for CI servers, as JUnit XML: failure is the system, error the harness or inconclusive, skipped has its reason',
  fields: { options: {} },
  example: 'junit',
  file: 'junit.xml',
  open: (output, place) => ({ end: async (end) => output.write(await renderJunit(end, place)) }),
};
