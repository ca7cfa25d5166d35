// Bundles that were read back, as the summaries and the end that reporters are told of when a command has run.
import type { Bundle } from '../bundle/read.ts';
import { exitCode } from '../model/exit-code.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { RunEnd } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import type { ScenarioSummary } from '../reports/summary.ts';

/** What is kept of a bundle when its pages are written: never its observations. */
export type RenderedRun = {
  readonly summary: ScenarioSummary;
  readonly startedAt: string;
  readonly runtime: string;
  /** With its version, where the card names one. */
  readonly system: string;
  /** All that must be the same in two attempts, as one text. */
  readonly circumstances: string;
};

type Read = Pick<Bundle, 'manifest' | 'resolved' | 'verdicts'>;

const cellOf = ({ manifest, resolved: { run } }: Read): string => {
  const planted = run.presets ?? run.defects;
  return `${manifest.scenario}${planted.length > 0 ? ` with ${planted.join(', ')}` : ''}`;
};

const ranIn = ({ manifest: { runtime, scenarioHash, versions }, resolved: { run } }: Read): Pick<RenderedRun, 'system' | 'circumstances'> => ({
  system: run.version === undefined ? run.card : `${run.card} ${run.version}`,
  circumstances: JSON.stringify([run.card, run.version, run.cardHash, runtime, scenarioHash, run.settings, Object.entries(versions).sort()]),
});

/** By name, and the folder in which they were written. */
export type RenderedPages = Pick<ScenarioSummary, 'pages' | 'pagesIn'>;

/** @param folder where the evidence lies; null: in an archive */
export const renderedRun = (bundle: Read, folder: string | null, written: RenderedPages): RenderedRun => {
  const { manifest, resolved, verdicts } = bundle;
  const tookMs = Object.values(manifest.phases).reduce((sum, ms) => sum + ms, 0);
  const ran = { cell: cellOf(bundle), attempt: 1, startedAt: manifest.startedAt, ...written };
  return {
    startedAt: manifest.startedAt, runtime: manifest.runtime, ...ranIn(bundle),
    summary: { ...summarise({ verdicts, run: resolved.run, tookMs, folder, ran }), scenario: ran.cell },
  };
};

/**
 * Runs of one scenario on other systems, or of other versions, are no attempts of each other, and none of them is flaky: what
 * each is called says what is not the same, or at least when it was.
 */
const apart = (runs: readonly RenderedRun[]): readonly RenderedRun[] =>
  [...Map.groupBy(runs, ({ summary }) => summary.cell).values()].flatMap((same) => {
    const variants = [...Map.groupBy(same, ({ circumstances }) => circumstances).values()];
    if (variants.length === 1) return same;
    const told = (['system', 'runtime'] as const).filter((what) => new Set(variants.map(([first]) => first![what])).size > 1);
    const names = variants.map(([first]) => told.map((what) => first![what]).join(', '));
    return variants.flatMap((variant, index) => {
      const isTold = names.filter((name) => name === names[index]).length === 1;
      const words = [names[index]!, ...(isTold ? [] : [`begun ${variant.map(({ startedAt }) => startedAt).sort()[0]!}`])].filter((word) => word !== '');
      return variant.map((run) => ({ ...run, summary: { ...run.summary, cell: `${run.summary.cell} (${words.join(', ')})` } }));
    });
  });

/** Bundles do not say which attempt they are: of the same cell, the one that began first is the first. */
const numbered = (given: readonly RenderedRun[]): readonly ScenarioSummary[] => {
  const runs = apart(given);
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
