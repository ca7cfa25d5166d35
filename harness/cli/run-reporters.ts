// Opens the reporters that were asked for and tells each of them the same, without secrets. A reporter that throws, or whose file
// cannot be written, is told once, makes the exit code an error where it was none, and does not keep the others from theirs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Redactor } from '../bundle/redact.ts';
import { EXIT } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import type { PhaseName } from '../model/observation.ts';
import { messageOf } from '../model/problem.ts';
import { resolvedOf } from '../plan/cell-bundle.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { Attempt } from '../reports/attempts.ts';
import type { Reporter, RunStart } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { ChosenReporter } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { packageVersion } from './package-version.ts';
import { prepareReportFile } from './report-file.ts';
import { openSinks } from './report-sinks.ts';
import type { Sink } from './report-sinks.ts';

export type RunReporters = {
  /** @throws ProblemError `report-not-written`: for a file that was named and that nobody can write */
  readonly prepare: () => Promise<void>;
  readonly begin: (start: RunStart) => void;
  readonly phase: (cell: Cell, phase: PhaseName, attempt: number) => void;
  readonly result: (result: CellResult) => void;
  /** A control has ended: it has no outcome, and is no longer running. */
  readonly control: (control: Cell) => void;
  readonly results: () => readonly ScenarioResult[];
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
const PAGES = ['report.html', 'report.md'];

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

/** The order of exit codes has an error before these. */
const MILDER: readonly number[] = [EXIT.inconclusive, EXIT.nothing, EXIT.passed];

export const openReporters = ({ chosen, terminal, redactor, repeat = 1, strict = false }: ReporterOptions): RunReporters => {
  const sinks = openSinks(chosen, terminal);
  const attempts: Attempt[] = [];
  const results: ScenarioSummary[] = [];
  const summaries: ScenarioSummary[] = [];
  const failed = new Set<Sink>();
  let started: RunStart | undefined;
  const fail = (sink: Sink, error: unknown): void => {
    if (!failed.has(sink)) terminal.writeError(`hangup: reporter ${sink.kind} failed: ${redactor.text(messageOf(error))}\n`);
    failed.add(sink);
  };
  const tell = (what: (reporter: Reporter) => void): void => {
    for (const sink of sinks) {
      try {
        what(sink.reporter);
      } catch (error) {
        fail(sink, error);
      }
    }
  };
  // Digits in equal numbers, since reports are sorted by name.
  const numbered = (attempt: number): string => `(attempt ${String(attempt).padStart(String(repeat).length, '0')} of ${repeat})`;
  const shown = (cell: Cell, attempt: number): string =>
    repeat > 1 && cell.staysMs === null ? `${cell.id} ${numbered(attempt)}` : titleOf(cell);
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
    results: () => results,
    end: async (given, tookMs, folder) => {
      const codeNow = (): number => (failed.size > 0 && MILDER.includes(given) ? EXIT.error : given);
      const flaky = flakyOf(attempts);
      const close = async (sink: Sink): Promise<void> => {
        const shared = { summaries, flaky, tookMs, folder: redactor.value(folder), ...(started ? { start: started } : {}) };
        try {
          await sink.reporter.end({ ...shared, exitCode: codeNow() });
          await sink.writeFile(folder);
        } catch (error) {
          fail(sink, error);
        }
      };
      for (const turn of ['quiet', 'printing', 'last'] as const) for (const sink of sinks) if (sink.turn === turn) await close(sink);
      return codeNow();
    },
  };
};
