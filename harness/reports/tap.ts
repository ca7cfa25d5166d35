// The reporter for TAP consumers: version 14, a test point for each run as it ends, its claims as a subtest. What could not be
// judged is not ok; what the card lists as known is a TODO, and what does not apply is skipped with its reason.
import { EXIT } from '../model/exit-code.ts';
import { notRunReason } from './not-run.ts';
import type { Reporter, ReporterDefinition, ReportOutput, ReportPlace, RunEnd } from './reporter.ts';
import { shownPath } from './shown-path.ts';
import { headline, notApplicableOf, statusOf } from './status.ts';
import { titleOf } from './summary.ts';
import type { ClaimRow, ScenarioSummary } from './summary.ts';
import { oneLine } from './text.ts';
import { systemOf } from './what-was-run.ts';

const INTERRUPTED: number = EXIT.interrupted;

type Point = {
  readonly isOk: boolean;
  readonly name: string;
  readonly directive?: { readonly word: 'SKIP' | 'TODO'; readonly why: string };
  readonly diagnostics: Readonly<Record<string, string | number>>;
};

/** Backslash and hash have a meaning in a test point. */
const escaped = (text: string): string => oneLine(text).replace(/[\\#]/g, '\\$&');

/** Strings as JSON has them, which YAML reads too. */
const diagnosticsOf = (diagnostics: Point['diagnostics']): readonly string[] => {
  const lines = Object.entries(diagnostics).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
  return lines.length === 0 ? [] : ['  ---', ...lines, '  ...'];
};

const linesOf = ({ isOk, name, directive, diagnostics }: Point, number: number): readonly string[] => [
  `${isOk ? 'ok' : 'not ok'} ${number} - ${escaped(name)}${directive ? ` # ${directive.word} ${escaped(directive.why)}` : ''}`,
  ...diagnosticsOf(diagnostics),
];

const claimOf = (row: ClaimRow, strict: boolean): Point => {
  const isKnown = row.standing === 'known' && !strict;
  const isGood = row.outcome === 'held' || row.outcome === 'does-not-apply' || row.standing === 'right';
  const isFine = isGood && !(strict && row.standing === 'fixed');
  const directive = isKnown ? { word: 'TODO', why: row.issue ?? 'known' } as const
    : row.outcome === 'does-not-apply' ? { word: 'SKIP', why: row.reason } as const : null;
  return {
    isOk: isFine, name: titleOf(row), ...(directive ? { directive } : {}),
    diagnostics: row.outcome === 'does-not-apply' || (row.outcome === 'held' && row.standing === null) ? {} : {
      outcome: row.outcome, ...(row.standing ? { standing: row.standing } : {}), ...(row.class ? { class: oneLine(row.class) } : {}),
      reason: oneLine(row.reason),
    },
  };
};

const pointOf = (summary: ScenarioSummary, strict: boolean, place: ReportPlace | undefined): Point => {
  const system = systemOf(summary);
  const status = statusOf(summary, strict);
  const directive = status === 'known' ? { word: 'TODO', why: headline(summary, status) } as const
    : status === 'does-not-apply' ? { word: 'SKIP', why: notApplicableOf(summary).join('; ') || 'no claim applies' } as const : null;
  const isFine = status === 'passed' || status === 'does-not-apply';
  return {
    isOk: isFine, name: summary.scenario, ...(directive ? { directive } : {}),
    diagnostics: {
      ...(isFine ? {} : { status, message: headline(summary, status) }), ...(system === null ? {} : { system }), duration_ms: summary.tookMs,
      ...(isFine || summary.folder === null ? {} : { evidence: shownPath(summary.folder, place) }),
    },
  };
};

const subtestOf = (summary: ScenarioSummary, strict: boolean): readonly string[] => {
  if (summary.rows.length === 0) return [];
  const points = summary.rows.flatMap((row, index) => linesOf(claimOf(row, strict), index + 1));
  return [`# Subtest: ${escaped(summary.scenario)}`, ...[...points, `1..${summary.rows.length}`].map((line) => `    ${line}`)];
};

const open = (output: ReportOutput, place?: ReportPlace): Reporter => {
  let count = 0;
  let strict = false;
  let runtime: string | null = null;
  const print = (lines: readonly string[]): void => output.write(lines.map((line) => `${line}\n`).join(''));
  const finish = (summary: ScenarioSummary): void => {
    if (count === 0) print(['TAP version 14', ...(runtime === null ? [] : [`# runtime ${escaped(runtime)}`])]);
    count += 1;
    print([...subtestOf(summary, strict), ...linesOf(pointOf(summary, strict, place), count)]);
  };
  return {
    begin: (start) => {
      strict = start.strict ?? false;
      runtime = start.runtime;
    },
    finish,
    end: ({ summaries, flaky = [], notRun = [], exitCode }: RunEnd) => {
      if (count === 0) summaries.forEach(finish);
      if (count === 0) print(['TAP version 14']);
      const left = notRun.flatMap((one, index) =>
        linesOf({ isOk: true, name: one.scenario, directive: { word: 'SKIP', why: notRunReason(one) }, diagnostics: {} }, count + index + 1));
      count += notRun.length;
      print([
        ...left,
        ...flaky.map(({ scenario, outcomes }) => `# flaky ${escaped(scenario)}: ${outcomes.join(', ')}`),
        // A plan would say that this was all.
        exitCode === INTERRUPTED ? 'Bail out! interrupted' : count === 0 ? '1..0 # SKIP nothing was run' : `1..${count}`,
      ]);
    },
  };
};

export const definition: ReporterDefinition = {
  kind: 'tap',
  about: 'for TAP consumers, version 14: a test point for each run, its claims as a subtest',
  fields: { options: {} },
  example: 'tap',
  file: 'results.tap',
  open,
};
