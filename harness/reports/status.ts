// One word for what became of a run, as its exit code counts it, and why in lines: what formats for programs are made from.
import type { ScenarioSummary } from './summary.ts';
import { titleOf } from './summary.ts';
import { oneLine } from './text.ts';

type Row = ScenarioSummary['rows'][number];

/** `known`: only what its card lists is violated. */
export type Status = 'passed' | 'failed' | 'known' | 'inconclusive' | 'error' | 'interrupted' | 'untestable' | 'does-not-apply';

/** The worst first: of several attempts, the first of these that occurred. */
export const STATUSES: readonly Status[] = ['failed', 'interrupted', 'error', 'inconclusive', 'untestable', 'known', 'passed', 'does-not-apply'];

/** @param strict known and fixed violations count as failures */
export const statusOf = (summary: ScenarioSummary, strict = false): Status => {
  const { outcome, beyondKnown, hasListed } = summary;
  if (strict && hasListed) return outcome === 'passed' ? 'failed' : outcome;
  const isAccepted = summary.otherwise === null && outcome === 'failed' && summary.counts.known > 0;
  return isAccepted && (beyondKnown === 'passed' || beyondKnown === 'does-not-apply') ? 'known' : beyondKnown;
};

/** The outcome as people are told it, of a run that must conclude something: whether it did, or could not see enough to. */
export const concludedWord = ({ otherwise, outcome, beyondKnown }: ScenarioSummary): string => {
  if (beyondKnown === 'inconclusive') return beyondKnown;
  return `${otherwise?.length === 0 ? 'rightly' : 'wrongly'} ${outcome}`;
};

/** What was found, of what, and why: each one line without control characters. */
export type Reason = { readonly word: string; readonly of: string; readonly why: string };

const reasonOfRow = (row: Row): Reason => ({
  word: row.standing === 'right' ? `rightly ${row.outcome}` : row.standing ?? row.outcome,
  of: oneLine(titleOf(row)),
  why: oneLine(`${row.class ? `${row.class}: ` : ''}${row.reason}${row.standing && row.issue ? ` (${row.issue})` : ''}`),
});

/** All that was not simply held, the gravest first: what went wrong, what must be concluded otherwise, violated, inconclusive, fixed. */
export const reasonsOf = ({ problems, rows, otherwise }: ScenarioSummary): readonly Reason[] => [
  ...problems.map(({ code, message, hint }) => ({ word: 'problem', of: code, why: oneLine(hint ? `${message}; hint: ${hint}` : message) })),
  ...(otherwise ?? []).map((each) => ({ word: 'concluded otherwise', of: '', why: oneLine(each) })),
  ...rows.filter(({ outcome, standing }) => outcome === 'violated' || outcome === 'inconclusive' || standing === 'fixed').map(reasonOfRow),
];

/** Why nothing was shown, each reason once. */
export const notApplicableOf = ({ rows }: ScenarioSummary): readonly string[] =>
  [...new Set(rows.filter(({ outcome }) => outcome === 'does-not-apply').map(({ reason }) => oneLine(reason)))];

export const lineOf = ({ word, of, why }: Reason): string => `${word}${of === '' ? '' : ` ${of}`}: ${why}`;

const named = ({ rows }: ScenarioSummary, is: (row: Row) => boolean): string =>
  rows.filter(is).map(({ id, issue }) => (issue ? `${id} (${issue})` : id)).join(', ');

const failure = (summary: ScenarioSummary): string => {
  if (summary.otherwise !== null && summary.otherwise.length > 0) return `concluded otherwise: ${summary.otherwise.join('; ')}`;
  const violated = named(summary, (row) => row.outcome === 'violated' && row.standing !== 'right');
  return violated === '' ? `fixed: ${named(summary, (row) => row.standing === 'fixed')}` : `violated: ${violated}`;
};

const wordsOf = (summary: ScenarioSummary, status: Status): string => {
  const [first] = reasonsOf(summary);
  switch (status) {
    case 'failed': return failure(summary);
    case 'known': return `known: ${named(summary, (row) => row.standing === 'known')}`;
    case 'inconclusive': return `inconclusive: ${named(summary, (row) => row.outcome === 'inconclusive' && row.standing === null)}`;
    case 'error': return first ? `error: ${lineOf(first)}` : 'error';
    case 'untestable': return first ? `untestable: ${first.why}` : 'untestable';
    case 'interrupted': return first ? `interrupted: ${lineOf(first)}` : 'interrupted before it was judged';
    case 'does-not-apply': return `does not apply: ${notApplicableOf(summary).join('; ') || 'no claim does'}`;
    case 'passed': return 'passed';
  }
};

/** What became of it in one line, for a list of failures. */
export const headline = (summary: ScenarioSummary, status: Status): string => oneLine(wordsOf(summary, status));
