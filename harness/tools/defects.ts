// Each planted defect of table A1, alone, on every row that names it: every claim that the row names
// must be violated. All of them side by side in one process. Exits 1 when a defect gets away.
import { parseArgs } from 'node:util';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harnessVersion } from '../cli/harness-version.ts';
import { loadCells } from '../cli/load-cells.ts';
import { provide } from '../cli/provide.ts';
import { runPlan } from '../plan/run-plan.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { createSchedule } from '../plan/schedule.ts';
import { selectCells } from '../plan/select.ts';
import { watchHarnessLag } from '../run/harness-lag.ts';
import { reportOf } from '../reports/markdown.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runtime: { type: 'string', default: 'process' }, tag: { type: 'string', default: 'A1' }, jobs: { type: 'string', default: '14' }, output: { type: 'string' } },
});

/** Claims that the row names for this defect and that were not violated. */
const missedBy = ({ cell, verdicts }: CellResult): readonly string[] => {
  const violated = new Set(verdicts.filter(({ outcome }) => outcome === 'violated').flatMap(({ id, claim }) => [id, claim]));
  return cell.presets.flatMap((name) => (cell.scenario.catches[name] ?? []).filter((claim) => !violated.has(claim)));
};

const lineOf = (result: CellResult, missed: readonly string[]): string => {
  const why = missed.map((claim) => `${claim}: ${result.verdicts.find((verdict) => verdict.claim === claim)?.reason ?? result.problems[0]?.message ?? 'no verdict'}`);
  return `${missed.length === 0 ? 'caught' : 'MISSED'}  ${result.cell.presets.join(',')}  ${result.cell.id}${why.length > 0 ? `\n    ${why.join('\n    ')}\n    evidence: ${result.folder}` : ''}`;
};

const main = async (): Promise<number> => {
  const loaded = await loadCells([], {}, null, process.cwd());
  const chosen = await selectRuntime(values.runtime as RuntimeKind, { progress: say });
  const known = [...new Set(loaded.flatMap(({ scenario }) => (scenario.tags.includes(values.tag) ? Object.keys(scenario.catches) : [])))];
  const defects = positionals.length > 0 ? positionals : known;
  const cells = defects.flatMap((defect) =>
    selectCells(loaded, { runtime: chosen.runtime.kind, isolation: chosen.isolation, defects: [defect], tags: [values.tag], where: {}, secrets: {} }));
  const installed = await provide(cells.map(({ card }) => card), chosen.runtime.kind, say);
  const runId = randomBytes(5).toString('hex');
  const output = values.output ?? mkdtempSync(join(tmpdir(), 'hangup-defects-'));
  const timelines = new Set<Parameters<typeof watchHarnessLag>[0] extends () => Iterable<infer T> ? T : never>();
  const lag = watchHarnessLag(() => timelines);
  let missing = 0;
  const onResult = (result: CellResult): void => {
    const missed = missedBy(result);
    if (missed.length > 0) missing += 1;
    say(lineOf(result, missed));
  };
  const stages = join(tmpdir(), `hangup-stages-${runId}`);
  const results = await runPlan({
    cells, repeat: 1, schedule: createSchedule({ jobs: Number(values.jobs), defaultJobs: 14 }),
    session: {
      runId, runtime: chosen.runtime, output, stages, installed, signal: new AbortController().signal, secrets: {}, timelines, onPhase: () => {},
      manifest: { argv: process.argv.slice(2), harness: harnessVersion(), versions: await chosen.runtime.describe() },
    },
    scenarioText: (cell) => readFileSync(cell.scenario.file, 'utf8'), report: reportOf, onResult,
  });
  lag.stop();
  await rm(stages, { recursive: true, force: true });
  if (missing === 0 && values.output === undefined) await rm(output, { recursive: true, force: true });
  say(`${defects.length} defects on ${results.length} rows, runtime ${chosen.runtime.kind}: ${results.length - missing} passed, ${missing} failed`);
  return results.length === 0 || missing > 0 ? 1 : 0;
};

process.exitCode = 3;
process.exitCode = await main();
