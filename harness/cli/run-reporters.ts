// Opens the reporters that were asked for and tells each of them the same. A reporter that throws is
// a fault of the harness, and does not keep the others from theirs.
import type { ScenarioResult } from '../model/exit-code.ts';
import type { PhaseName } from '../model/observation.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { resolvedOf } from '../plan/run-cell.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { reporters as registry } from '../reports/registry.ts';
import { wantsColour } from '../reports/reporter.ts';
import type { Reporter, RunStart } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { JUDGE_VERSION } from '../bundle/format.ts';
import type { Terminal } from './command.ts';

export type RunReporters = {
  readonly begin: (start: RunStart) => void;
  readonly phase: (scenario: string, phase: PhaseName) => void;
  readonly result: (result: CellResult) => void;
  readonly results: () => readonly ScenarioResult[];
  readonly end: (exitCode: number, tookMs: number, folder: string) => void;
};

const named = (result: CellResult): string => (result.attempt > 1 ? `${result.cell.id} (attempt ${result.attempt})` : result.cell.id);

const summaryOf = (result: CellResult): ScenarioSummary =>
  summarise({
    verdicts: { judge: JUDGE_VERSION, scenario: named(result), outcome: result.outcome, verdicts: result.verdicts, problems: result.problems },
    run: resolvedOf(result.cell, result.cell.facts).run,
    tookMs: result.tookMs,
    folder: result.folder === '' ? null : result.folder,
  });

/** @throws ProblemError `unknown-reporter` */
export const openReporters = (kinds: readonly string[], terminal: Terminal): RunReporters => {
  const output = {
    write: terminal.write, isTerminal: terminal.isTerminal, columns: terminal.columns,
    hasColour: wantsColour(terminal.isTerminal, terminal.environment),
  };
  const opened: Reporter[] = kinds.map((kind) => {
    const definition = registry.get(kind);
    if (!definition) throw problem('scenario', 'unknown-reporter', `there is no reporter "${kind}"`, { hint: didYouMean(kind, registry.kinds, 'there are') });
    return definition.open(output);
  });
  const summaries: ScenarioSummary[] = [];
  return {
    begin: (start) => opened.forEach((reporter) => reporter.begin?.(start)),
    phase: (scenario, phase) => opened.forEach((reporter) => reporter.phase?.(scenario, phase)),
    result: (result) => {
      const summary = summaryOf(result);
      summaries.push(summary);
      opened.forEach((reporter) => reporter.finish?.(summary));
    },
    results: () => summaries,
    end: (exitCode, tookMs, folder) => opened.forEach((reporter) => reporter.end({ summaries, exitCode, tookMs, folder })),
  };
};
