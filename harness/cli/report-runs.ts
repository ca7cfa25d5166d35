// Bundles that were read back, as the summaries and the end that reporters are told of when a command has run.
import type { Bundle } from '../bundle/read.ts';
import { exitCode } from '../model/exit-code.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { RunEnd } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';

/** What is kept of a bundle when its pages are written: never its observations. */
export type RenderedRun = { readonly summary: ScenarioSummary; readonly startedAt: string; readonly runtime: string };

const cellOf = ({ manifest, resolved: { run } }: Bundle): string => {
  const planted = run.presets ?? run.defects;
  return `${manifest.scenario}${planted.length > 0 ? ` with ${planted.join(', ')}` : ''}`;
};

/** @param pages by name, wherever they were written */
export const renderedRun = (bundle: Bundle, folder: string | null, pages: readonly string[]): RenderedRun => {
  const { manifest, resolved, verdicts } = bundle;
  const tookMs = Object.values(manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const ran = { cell: cellOf(bundle), attempt: 1, startedAt: manifest.startedAt, pages };
  return { startedAt: manifest.startedAt, runtime: manifest.runtime, summary: { ...summarise({ verdicts, run: resolved.run, tookMs, folder, ran }), scenario: ran.cell } };
};

/** Bundles do not say which attempt they are: of the same cell, the one that began first is the first. */
const numbered = (runs: readonly RenderedRun[]): readonly ScenarioSummary[] => {
  const counts = new Map<string, number>();
  const cells = Map.groupBy(runs, ({ summary }) => summary.cell);
  return runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0)).map(({ summary }) => {
    const attempt = (counts.get(summary.cell) ?? 0) + 1;
    counts.set(summary.cell, attempt);
    const of = cells.get(summary.cell)!.length;
    return { ...summary, attempt, scenario: of > 1 ? `${summary.cell} (attempt ${attempt} of ${of})` : summary.cell };
  });
};

export const endOf = (runs: readonly RenderedRun[]): RunEnd => {
  const summaries = numbered(runs);
  const startedAt = summaries.flatMap((summary) => summary.startedAt ?? []).toSorted()[0];
  return {
    summaries, folder: null, exitCode: exitCode(summaries),
    flaky: flakyOf(summaries.map(({ cell, attempt, outcome }) => ({ scenario: cell, attempt, outcome }))),
    tookMs: summaries.reduce((sum, each) => sum + each.tookMs, 0),
    start: {
      scenarios: summaries.map(({ scenario }) => scenario), runtime: [...new Set(runs.map(({ runtime }) => runtime))].join(', '),
      why: 'rendered again', ...(startedAt === undefined ? {} : { startedAt }),
    },
  };
};
