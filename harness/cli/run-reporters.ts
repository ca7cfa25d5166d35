// Opens the reporters that were asked for and tells each of them the same. A reporter that throws is
// a fault of the harness, and does not keep the others from theirs.
import type { ScenarioResult } from '../model/exit-code.ts';
import type { PhaseName } from '../model/observation.ts';
import { didYouMean } from '../model/nearest.ts';
import { messageOf, problem } from '../model/problem.ts';
import { resolvedOf } from '../plan/cell-bundle.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { reporters as registry } from '../reports/registry.ts';
import { wantsColour } from '../reports/reporter.ts';
import type { Reporter, RunStart } from '../reports/reporter.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { Attempt } from '../reports/attempts.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { JUDGE_VERSION } from '../bundle/format.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { Terminal } from './command.ts';

export type RunReporters = {
  readonly begin: (start: RunStart) => void;
  readonly phase: (cell: Cell, phase: PhaseName, attempt: number) => void;
  readonly result: (result: CellResult) => void;
  /** A control has ended: it has no outcome, and is no longer running. */
  readonly control: (control: Cell) => void;
  readonly results: () => readonly ScenarioResult[];
  readonly end: (exitCode: number, tookMs: number, folder: string) => void;
  /** Some reporter has thrown; that was said. */
  readonly hasFailed: () => boolean;
};

const summaryOf = (result: CellResult, scenario: string): ScenarioSummary =>
  summarise({
    verdicts: { judge: JUDGE_VERSION, scenario, outcome: result.outcome, verdicts: result.verdicts, problems: result.problems },
    run: resolvedOf(result.cell, result.cell.facts).run,
    tookMs: result.tookMs,
    folder: result.folder === '' ? null : result.folder,
  });

const openAll = (kinds: readonly string[], terminal: Terminal): readonly Reporter[] => {
  const output = {
    write: terminal.write,
    isTerminal: terminal.isTerminal,
    columns: terminal.columns,
    hasColour: wantsColour(terminal.isTerminal, terminal.environment),
  };
  return [...new Set(kinds)].map((kind) => {
    const definition = registry.get(kind);
    if (!definition)
      throw problem('scenario', 'unknown-reporter', `there is no reporter "${kind}"`, {
        hint: didYouMean(kind, registry.kinds, 'there are'),
      });
    return definition.open(output);
  });
};

/**
 * @param repeat attempts of each cell; with more than one, each is shown as an attempt
 * @throws ProblemError `unknown-reporter`
 */
export const openReporters = (kinds: readonly string[], terminal: Terminal, repeat = 1): RunReporters => {
  const opened = openAll(kinds, terminal);
  const attempts: Attempt[] = [];
  const summaries: ScenarioSummary[] = [];
  let failures = 0;
  const tell = (what: (reporter: Reporter) => void): void => {
    for (const reporter of opened) {
      try {
        what(reporter);
      } catch (error) {
        failures += 1;
        if (failures === 1) terminal.writeError(`hangup: a reporter failed: ${messageOf(error)}\n`);
      }
    }
  };
  // Digits in equal numbers, since reports are sorted by name.
  const numbered = (attempt: number): string => `(attempt ${String(attempt).padStart(String(repeat).length, '0')} of ${repeat})`;
  const shown = (cell: Cell, attempt: number): string =>
    repeat > 1 && cell.staysMs === null ? `${cell.id} ${numbered(attempt)}` : titleOf(cell);
  return {
    begin: (start) => tell((reporter) => reporter.begin?.(start)),
    phase: (cell, phase, attempt) => tell((reporter) => reporter.phase?.(shown(cell, attempt), phase)),
    control: (control) => tell((reporter) => reporter.over?.(titleOf(control))),
    result: (result) => {
      const summary = summaryOf(result, shown(result.cell, result.attempt));
      summaries.push(summary);
      attempts.push({ scenario: result.cell.id, attempt: result.attempt, outcome: result.outcome });
      tell((reporter) => reporter.finish?.(summary));
    },
    results: () => summaries,
    end: (exitCode, tookMs, folder) => tell((reporter) => reporter.end({ summaries, flaky: flakyOf(attempts), exitCode, tookMs, folder })),
    hasFailed: () => failures > 0,
  };
};
