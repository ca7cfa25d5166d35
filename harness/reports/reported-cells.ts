// Attempts of one cell as one entry, for formats that know a test and its repetitions. Nothing is retried here: an attempt
// that passed does not make another one good, so the worst counts.
import type { RunEnd } from './reporter.ts';
import { STATUSES, statusOf } from './status.ts';
import type { Status } from './status.ts';
import type { ScenarioSummary } from './summary.ts';

export type ReportedAttempt = { readonly summary: ScenarioSummary; readonly status: Status };

export type ReportedCell = {
  readonly cell: string;
  /** Without its place in the matrix. */
  readonly scenario: string;
  /** In order; at least one. */
  readonly attempts: readonly ReportedAttempt[];
  /** The first of the attempts with the worst status. */
  readonly worst: ReportedAttempt;
  readonly isFlaky: boolean;
  readonly tookMs: number;
};

const toCell = (cell: string, all: readonly ScenarioSummary[], { flaky = [], start }: RunEnd): ReportedCell => {
  const attempts = all
    .toSorted((a, b) => a.attempt - b.attempt)
    .map((summary): ReportedAttempt => ({ summary, status: statusOf(summary, start?.strict) }));
  const worst = STATUSES.flatMap((status) => attempts.find((each) => each.status === status) ?? [])[0]!;
  return {
    cell,
    scenario: cell.replace(/\[.*$/s, ''),
    attempts,
    worst,
    isFlaky: flaky.some((each) => each.scenario === cell),
    tookMs: attempts.reduce((sum, { summary }) => sum + summary.tookMs, 0),
  };
};

/** Sorted by name, whatever order they finished in. */
export const reportedCells = (end: RunEnd): readonly ReportedCell[] =>
  [...Map.groupBy(end.summaries, ({ cell }) => cell)]
    .map(([cell, summaries]) => toCell(cell, summaries, end))
    .sort((a, b) => (a.cell < b.cell ? -1 : a.cell > b.cell ? 1 : 0));
