// Opens the reporters that were asked for and tells each of them the same, without secrets.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Redactor } from '../bundle/redact.ts';
import type { PhaseName } from '../model/observation.ts';
import { resolvedOf } from '../plan/cell-bundle.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { Attempt } from '../reports/attempts.ts';
import type { NotRun, RunStart } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { ChosenReporter } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { packageVersion } from './package-version.ts';
import { prepareReportFile } from './report-file.ts';
import { openSinks } from './report-sinks.ts';
import { createTold } from './told.ts';

export type RunReporters = {
  /** @throws ProblemError `report-not-written`: for a file that was named and that nobody can write */
  readonly prepare: () => Promise<void>;
  readonly begin: (start: RunStart) => void;
  readonly phase: (cell: Cell, phase: PhaseName, attempt: number) => void;
  readonly result: (result: CellResult) => void;
  /** It was to be run, and is not begun any more. */
  readonly notRun: (cell: Cell, attempt: number, why: string) => void;
  /** Not begun, and only asked for until something fails. */
  readonly notNeeded: (why: string) => void;
  /** A control has ended: it has no outcome, and is no longer running. */
  readonly control: (control: Cell) => void;
  readonly results: () => readonly ScenarioSummary[];
  /** @returns the exit code: the given one, or that of an error where some reporter has failed and nothing worse was said */
  readonly end: (exitCode: number, tookMs: number, folder: string | null) => Promise<number>;
};

export type ReporterOptions = {
  readonly chosen: readonly ChosenReporter[];
  readonly terminal: Terminal;
  /** Knows the secrets of this invocation: reporters are told nothing that it did not see. */
  readonly redactor: Pick<Redactor, 'text' | 'value'>;
  /** Attempts of each cell; with more than one, each is shown as an attempt. */
  readonly repeat?: number;
  readonly strict?: boolean;
};

/** Pages of a bundle that reports lead to, where they were written. */
export const PAGES = ['report.html', 'report.md'];

/** Digits in equal numbers, since reports are sorted by name. */
export const attemptOf = (attempt: number, repeat: number): string => `(attempt ${String(attempt).padStart(String(repeat).length, '0')} of ${repeat})`;

const summaryOf = (result: CellResult, scenario: string): ScenarioSummary => {
  const { cell, attempt, tookMs } = result;
  const folder = result.folder || null;
  return summarise({
    verdicts: { judge: JUDGE_VERSION, scenario, outcome: result.outcome, verdicts: result.verdicts, problems: result.problems },
    run: resolvedOf(cell, cell.facts).run,
    tookMs,
    folder,
    ran: {
      cell: cell.id,
      attempt,
      startedAt: new Date(Date.now() - tookMs).toISOString(),
      pages: folder === null ? [] : PAGES.filter((page) => existsSync(join(folder, page))),
    },
  });
};

export const openReporters = ({ chosen, terminal, redactor, repeat = 1, strict = false }: ReporterOptions): RunReporters => {
  const { tell, end } = createTold(openSinks(chosen, terminal), terminal, redactor);
  const attempts: Attempt[] = [];
  const notRun: NotRun[] = [];
  const notNeeded = new Map<string, number>();
  const results: ScenarioSummary[] = [];
  const summaries: ScenarioSummary[] = [];
  let started: RunStart | undefined;
  const shown = (cell: Cell, attempt: number): string =>
    repeat > 1 && cell.staysMs === null ? `${cell.id} ${attemptOf(attempt, repeat)}` : titleOf(cell);
  return {
    prepare: async () => {
      for (const { definition, path } of chosen) if (path !== null) await prepareReportFile(definition.kind, path);
    },
    begin: (start) => {
      started = redactor.value({ ...start, strict, startedAt: new Date().toISOString(), version: packageVersion() });
      tell((reporter) => reporter.begin?.(started!));
    },
    phase: (cell, phase, attempt) => tell((reporter) => reporter.phase?.(redactor.text(shown(cell, attempt)), phase)),
    control: (control) => tell((reporter) => reporter.over?.(redactor.text(titleOf(control)))),
    result: (result) => {
      const summary = summaryOf(result, shown(result.cell, result.attempt));
      results.push(summary);
      const told = redactor.value(summary);
      summaries.push(told);
      attempts.push({ scenario: told.cell, attempt: result.attempt, outcome: result.outcome });
      tell((reporter) => reporter.finish?.(told));
    },
    notRun: (cell, attempt, why) => void notRun.push(redactor.value({ scenario: shown(cell, attempt), why })),
    notNeeded: (why) => void notNeeded.set(why, (notNeeded.get(why) ?? 0) + 1),
    results: () => results,
    end: (exitCode, tookMs, folder) => {
      const left = {
        ...(notRun.length > 0 ? { notRun } : {}),
        ...(notNeeded.size > 0 ? { notNeeded: [...notNeeded].map(([why, count]) => ({ why, count })) } : {}),
      };
      const shared = { summaries, flaky: flakyOf(attempts), tookMs, folder: redactor.value(folder), ...left, ...(started ? { start: started } : {}) };
      return end({ ...shared, exitCode }, folder);
    },
  };
};
