// The reporter for people at a terminal: progress while it runs, then a table, then why. Tables are
// padded here: names are plain ASCII, and no library would make them shorter to write.
import { styleText } from 'node:util';
import { formatMs } from '../model/time.ts';
import type { ScenarioOutcome } from '../model/verdict.ts';
import { busyHint } from './busy.ts';
import { notNeededLines, notRunLines } from './not-run.ts';
import { gridsOf } from './grid/grid.ts';
import type { Mark } from './grid/grid.ts';
import { gridText } from './grid/text.ts';
import { createProgress } from './progress.ts';
import type { Reporter, ReporterDefinition, ReportOutput, RunEnd } from './reporter.ts';
import { shownPath } from './shown-path.ts';
import { concludedWord } from './status.ts';
import { titleOf } from './summary.ts';
import type { ClaimRow, ScenarioSummary } from './summary.ts';
import { columns, indented, oneLine, plural } from './text.ts';
import { hasSeveral, systemOf, whatWasRun } from './what-was-run.ts';

type Colour = 'green' | 'red' | 'yellow' | 'magenta' | 'gray' | 'bold';
type Paint = (colour: Colour, text: string) => string;

const COLOURS: Readonly<Record<ScenarioOutcome, Colour>> = {
  passed: 'green', failed: 'red', inconclusive: 'yellow', untestable: 'yellow', error: 'magenta', interrupted: 'magenta', 'does-not-apply': 'gray',
};

const MARKS: Readonly<Record<Mark, Colour>> = { ...COLOURS, known: 'yellow', flaky: 'yellow' };
/** Where nobody says how wide it is. */
const NARROWEST = 80;

const painter = (output: ReportOutput): Paint => (colour, text) =>
  output.hasColour ? styleText(colour, text, { validateStream: false }) : text;

const shown = (summary: ScenarioSummary): string => {
  if (summary.otherwise !== null) return concludedWord(summary);
  return summary.counts.known > 0 && summary.outcome === 'failed' && summary.beyondKnown !== 'failed' ? 'known' : summary.outcome;
};

const outcomeOf = (summary: ScenarioSummary, paint: Paint): string => {
  const outcome = summary.otherwise === null ? summary.outcome : summary.beyondKnown;
  return paint(shown(summary) === 'known' ? 'yellow' : COLOURS[outcome], shown(summary));
};

const whyLine = (row: ClaimRow, paint: Paint): string => {
  const isGood = row.standing === 'fixed' || row.standing === 'right';
  const colour = row.outcome === 'violated' && row.standing === null ? 'red' : isGood ? 'green' : 'yellow';
  const word = row.standing === 'right' ? `rightly ${row.outcome}` : row.standing ?? row.outcome;
  const kind = row.class ? ` [${oneLine(row.class)}]` : '';
  const issue = row.issue ? ` (${oneLine(row.issue)})` : '';
  return `    ${paint(colour, word)} ${paint('bold', oneLine(titleOf(row)))}${kind}: ${oneLine(row.reason)}${issue}`;
};

const whyLines = (summary: ScenarioSummary, paint: Paint): readonly string[] => [
  ...summary.problems.flatMap((each) => [
    `    ${paint('magenta', oneLine(each.code))}: ${indented(each.message, '      ')}`, ...(each.hint ? [`      hint: ${indented(each.hint, '        ')}`] : []),
  ]),
  ...summary.rows
    .filter((row) => row.outcome === 'violated' || row.outcome === 'inconclusive' || row.standing === 'fixed')
    .map((row) => whyLine(row, paint)),
  ...(summary.otherwise ?? []).map((each) => `    ${paint(COLOURS[summary.beyondKnown], 'concluded otherwise')}: ${oneLine(each)}`),
];

const HEAD = ['outcome', 'held', 'violated', 'inconclusive', 'n/a', 'time'];

const table = (summaries: readonly ScenarioSummary[], paint: Paint): readonly string[] => {
  const several = hasSeveral(summaries);
  const cells = summaries.map((summary) => [
    oneLine(summary.scenario), ...(several ? [systemOf(summary) ?? ''] : []), outcomeOf(summary, paint),
    ...(['held', 'violated', 'inconclusive', 'does-not-apply'] as const).map((outcome) => String(summary.counts[outcome])),
    formatMs(summary.tookMs),
  ]);
  const [head, ...lines] = columns([['scenario', ...(several ? ['system'] : []), ...HEAD], ...cells]);
  return [
    paint('bold', head!),
    ...summaries.flatMap((summary, index) => {
      const why = whyLines(summary, paint);
      const isShown = summary.folder !== null && summary.outcome !== 'passed' && why.length > 0;
      return [lines[index]!, ...why, ...(isShown ? [paint('gray', `    evidence: ${shownPath(summary.folder!, undefined)}`)] : [])];
    }),
  ];
};

/** What a preset or a defect must show, beside what was seen. */
const expectedTable = (summaries: readonly ScenarioSummary[], paint: Paint): readonly string[] => {
  const cells = summaries.flatMap((summary) => summary.expected.map((expected) => [
    oneLine(summary.scenario), oneLine(expected.by), oneLine(expected.what ?? expected.violates.join(', '), 70),
    expected.missing.length > 0
      ? paint('red', `not violated here: ${oneLine(expected.missing.join(', '))}`)
      : paint('green', expected.what === null ? 'violated here' : 'seen here too'),
  ]));
  if (cells.length === 0) return [];
  const hasSeed = summaries.some((summary) => summary.expected.some((expected) => expected.what !== null));
  const [head, ...lines] = columns([['scenario', 'defect', hasSeed ? 'expected' : 'must be violated', 'now'], ...cells]);
  return ['', paint('bold', head!), ...lines];
};

/** Claims that could not be shown, by reason: they never count as passed, so they are said aloud. */
const notApplicable = (summaries: readonly ScenarioSummary[]): readonly string[] => {
  const rows = summaries.flatMap((summary) => summary.rows.filter((row) => row.outcome === 'does-not-apply'));
  if (rows.length === 0) return [];
  const byReason = Map.groupBy(rows, (row) => oneLine(row.reason));
  return ['', 'Does not apply:', ...[...byReason].map(([reason, all]) =>
    `  ${[...new Set(all.map((row) => oneLine(row.claim)))].sort().join(', ')}: ${reason} (${plural(all.length, 'claim')})`)];
};

/** Passed and failed in one command: neither is the truth, and the exit code says failed. */
const flakyLines = (flaky: NonNullable<RunEnd['flaky']>, paint: Paint): readonly string[] =>
  flaky.length === 0 ? [] : ['', paint('yellow', 'Flaky:'), ...flaky.map(({ scenario, outcomes }) => `  ${oneLine(scenario)}: ${outcomes.join(', ')}`)];

const totals = (end: RunEnd, paint: Paint): readonly string[] => {
  const { summaries, tookMs, folder, exitCode } = end;
  const words = Map.groupBy(summaries, shown);
  const sum = (key: keyof ScenarioSummary['counts']): number => summaries.reduce((total, each) => total + each.counts[key], 0);
  const outcomes = [...words].map(([word, all]) => `${all.length} ${word}`).join(', ');
  const listed = (['known', 'fixed'] as const).filter((key) => sum(key) > 0).map((key) => `${sum(key)} ${key}`).join(', ');
  const isRepeated = new Set(summaries.map(({ cell }) => cell)).size < summaries.length;
  const violated = `${sum('violated')} violated${listed ? ` (${listed})` : ''}`;
  const [what, hint] = [summaries.length === 0 ? null : whatWasRun(end), busyHint(summaries)];
  return [
    '',
    paint('bold', summaries.length === 0 ? 'Nothing was run' : `${plural(summaries.length, isRepeated ? 'run' : 'scenario')}: ${outcomes}`)
      + ` in ${formatMs(tookMs)}. Claims: ${sum('held')} held, ${violated}, ${sum('inconclusive')} inconclusive. Exit code ${exitCode}.`,
    ...notRunLines(end).map((line) => paint('yellow', line)), ...notNeededLines(end),
    ...(what === null ? [] : [`Run ${what}.`]),
    ...(hint === null ? [] : [paint('yellow', hint)]),
    ...(folder ? [`Evidence: ${shownPath(folder, undefined)}`] : []),
  ];
};

/** Order of the plan, whatever order they finished in. */
const inOrder = (summaries: readonly ScenarioSummary[]): readonly ScenarioSummary[] =>
  summaries.toSorted((a, b) => (a.scenario < b.scenario ? -1 : a.scenario > b.scenario ? 1 : 0));

const open = (output: ReportOutput): Reporter => {
  const paint = painter(output);
  const progress = createProgress(output);
  return {
    begin: ({ scenarios, runtime, why, seed }) => {
      const seeded = seed === undefined ? '' : `, seed ${seed}`;
      output.write(`${plural(scenarios.length, 'scenario')} on runtime ${paint('bold', runtime)}${seeded}: ${oneLine(why)}\n`);
    },
    phase: progress.phase,
    over: progress.over,
    finish: (summary) =>
      progress.finish(summary.scenario, `${outcomeOf(summary, paint)}  ${oneLine(summary.scenario)}  ${formatMs(summary.tookMs)}`),
    end: (end) => {
      progress.clear();
      const summaries = inOrder(end.summaries);
      const lines = [
        '', ...(summaries.length > 0 ? table(summaries, paint) : []), ...expectedTable(summaries, paint),
        ...notApplicable(summaries), ...flakyLines(end.flaky ?? [], paint),
        ...gridText(gridsOf(end), Math.max(output.columns, NARROWEST), (mark, sign) => paint(MARKS[mark], sign)), ...totals({ ...end, summaries }, paint),
      ];
      output.write(`${lines.join('\n')}\n`);
    },
  };
};

export const definition: ReporterDefinition = {
  kind: 'terminal',
  about: 'progress while it runs, then a table with one line of why for all that was not held',
  fields: { options: {} },
  example: 'terminal',
  open,
};
