// `hangup merge`: shards of one plan as one run. Everything is checked before anything is shown, and the folder is there when it is whole.
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { liesIn } from '../bundle/lies-in.ts';
import { EXIT, exitCode, worstCode } from '../model/exit-code.ts';
import { problem, ProblemError } from '../model/problem.ts';
import type { Problem } from '../model/problem.ts';
import { createScope } from '../model/scope.ts';
import { nowMs } from '../model/time.ts';
import { checkShards } from '../plan/merge/check-shards.ts';
import { collect } from '../plan/merge/collect.ts';
import type { MergedResult } from '../plan/merge/collect.ts';
import { findShards } from '../plan/merge/find-shards.ts';
import type { FoundShard } from '../plan/merge/find-shards.ts';
import { createInstalled } from '../plan/merge/installed.ts';
import type { Installed } from '../plan/merge/installed.ts';
import { mergeDurations, openMergedFolder } from '../plan/merge/merged-folder.ts';
import type { MergedFolder } from '../plan/merge/merged-folder.ts';
import { checkOutput } from '../plan/session.ts';
import type { ShardPlan } from '../plan/shard/plan.ts';
import { flakyOf } from '../reports/attempts.ts';
import type { NotRun, RunStart } from '../reports/reporter.ts';
import { summarise } from '../reports/summary.ts';
import { oneLine, plural } from '../reports/text.ts';
import type { ScenarioSummary } from '../reports/summary.ts';
import { chooseReporters, defaultReporters } from './choose-reporters.ts';
import type { ChosenReporter } from './choose-reporters.ts';
import type { Terminal } from './command.ts';
import { packageVersion } from './package-version.ts';
import { prepareReportFile } from './report-file.ts';
import { openSinks } from './report-sinks.ts';
import { codeWithout } from './run-limits.ts';
import { attemptOf, PAGES } from './run-reporters.ts';
import { createTold } from './told.ts';

export type MergeOptions = {
  readonly paths: readonly string[];
  readonly output: string;
  /** Null: those of a run. */
  readonly reporters: readonly string[] | null;
};

const TOLD_EVERY_MS = 2_000;

/** How far it is, where it takes long. */
const createProgress = ({ writeError }: Terminal, whole: number): ((done: number) => void) => {
  let toldMs = nowMs();
  return (done) => {
    if (nowMs() - toldMs < TOLD_EVERY_MS) return;
    toldMs = nowMs();
    writeError(`merging: ${done} of ${whole} bundles\n`);
  };
};

const bundlesOf = (shards: readonly FoundShard[]): number =>
  shards.reduce((sum, { shard: { ended } }) => sum + (ended === null ? 0 : ended.results.length + ended.controls.length), 0);

/** As the run itself would have told it. What a bundle says is without secrets: its writer took them out. */
const summaryOf = ({ repeat }: ShardPlan, output: string, result: MergedResult): ScenarioSummary => {
  const { attempt, verdicts, run, tookMs, startedAt, folder, files } = result;
  const cell = verdicts.scenario;
  const scenario = repeat > 1 ? `${cell} ${attemptOf(attempt, repeat)}` : cell;
  const pages = PAGES.filter((page) => files.has(page));
  return summarise({ verdicts: { ...verdicts, scenario }, run, tookMs, folder: folder === null ? null : join(output, folder), ran: { cell, attempt, startedAt, pages } });
};

/** Looks at every bundle whatever is wrong already, so that all of it is told at once. @throws ProblemError with all of it */
const takeAll = async (terminal: Terminal, shards: readonly FoundShard[], found: readonly Problem[], folder: MergedFolder, output: string, installed: Installed): Promise<readonly ScenarioSummary[]> => {
  const problems = [...found, ...checkShards(shards)];
  const summaries: ScenarioSummary[] = [];
  const tell = createProgress(terminal, bundlesOf(shards));
  const collecting = { placeOf: problems.length > 0 ? null : folder.placeOf, onProblem: (problem: Problem) => void problems.push(problem) };
  let done = 0;
  for (const result of collect(shards, collecting)) {
    if (result) installed.add(result);
    if (result && problems.length === 0) summaries.push(summaryOf(shards[0]!.shard.plan, output, result));
    tell((done += 1));
    // Between bundles somebody may want it to stop.
    if (done % 50 === 0) await setImmediate();
    terminal.signal.throwIfAborted();
  }
  if (problems.length > 0) throw new ProblemError(problems);
  return summaries;
};

/** Of the plan, each once: those too that were not run. */
const cellsOf = (shards: readonly FoundShard[], summaries: readonly ScenarioSummary[]): readonly string[] =>
  [...new Set([...summaries.map(({ cell }) => cell), ...shards.flatMap(({ shard }) => (shard.ended?.notRun ?? []).map(({ scenario }) => scenario))])];

const startOf = (shards: readonly FoundShard[], summaries: readonly ScenarioSummary[]): RunStart => {
  const { plan } = shards[0]!.shard;
  const begun = shards.flatMap(({ shard }) => shard.ended?.startedAt ?? []).sort();
  return {
    scenarios: cellsOf(shards, summaries),
    runtime: [...new Set(shards.map(({ shard }) => shard.runtime).filter((runtime) => runtime !== ''))].sort().join(', '),
    why: `merged from ${plural(shards.length, 'shard')} of plan ${plan.hash.slice(0, 12)}`,
    strict: plan.strict,
    version: packageVersion(),
    ...(begun[0] === undefined ? {} : { startedAt: begun[0] }),
  };
};

const notRunOf = (shards: readonly FoundShard[]): readonly NotRun[] =>
  shards.flatMap(({ shard: { plan: { repeat }, index, ended } }) => (ended?.notRun ?? []).map(({ scenario, attempt, why }) =>
    ({ scenario: repeat > 1 ? `${scenario} ${attemptOf(attempt, repeat)}` : scenario, why: `${why} on shard ${index}` })));

/** As that of the whole run, and never better than what a shard itself has ended with: one that was stopped makes it one that was stopped. */
const codeOf = (shards: readonly FoundShard[], summaries: readonly ScenarioSummary[], notRun: number): number => {
  const own = shards.flatMap(({ shard }) => shard.ended?.exitCode ?? []);
  return worstCode([codeWithout(notRun, exitCode(summaries, shards[0]!.shard.plan.strict)), ...own.filter((code) => code !== EXIT.passed)]);
};

/** From when the first shard began until the last was over: what somebody has waited. */
const tookOf = (shards: readonly FoundShard[]): number => {
  const times = shards.flatMap(({ shard: { ended } }) => (ended === null ? [] : [[Date.parse(ended.startedAt), Date.parse(ended.startedAt) + ended.tookMs] as const]));
  return Math.max(0, Math.round(Math.max(...times.map(([, to]) => to)) - Math.min(...times.map(([from]) => from))));
};

/** What is merged stays as it was left, and so does any bundle. @throws ProblemError `output-in-input`, `bad-option` */
const checkPlace = async ({ paths, output }: MergeOptions, cwd: string): Promise<void> => {
  for (const path of paths) {
    if (!(await liesIn(resolve(cwd, output), resolve(cwd, path)))) continue;
    throw problem('scenario', 'output-in-input', `--output ${output} lies in ${path}, which is to be merged`, {
      hint: 'give a folder that is not in it, or name the shards one by one',
    });
  }
  await checkOutput(resolve(cwd, output));
};

/** A file that is to be in the folder of the merge can be made when that is there. @throws ProblemError `report-not-written` */
const prepareFiles = async (chosen: readonly ChosenReporter[], isOurs: (path: string) => Promise<boolean>): Promise<void> => {
  for (const { definition, path } of chosen) if (path !== null && (await isOurs(path))) await prepareReportFile(definition.kind, path);
};

/**
 * @returns the exit code of the whole run
 * @throws ProblemError every reason why the shards are not one whole plan, as they were left; `output-in-input`, `output-not-empty`, `output-not-writable`
 */
export const merge = async (terminal: Terminal, options: MergeOptions): Promise<number> => {
  const output = resolve(terminal.cwd, options.output);
  const chosen = chooseReporters(options.reporters ?? defaultReporters(), terminal.cwd);
  await checkPlace(options, terminal.cwd);
  await using scope = createScope();
  const { shards: found, problems } = await findShards(options.paths, terminal.cwd, scope);
  const shards = found.toSorted((a, b) => a.shard.index - b.shard.index);
  const folder = await openMergedFolder(output);
  scope.own('what was not finished', folder.discard, 60_000);
  const installed = createInstalled();
  const summaries = await takeAll(terminal, shards, problems, folder, output, installed);
  await mergeDurations(shards, folder.partial);
  await prepareFiles(chosen, async (path) => !(await liesIn(path, output)));
  folder.finish();
  await prepareFiles(chosen, (path) => liesIn(path, output));
  const told = createTold(openSinks(chosen, terminal), terminal, terminal.secrets.shown);
  const start = startOf(shards, summaries);
  told.tell((reporter) => reporter.begin?.(start));
  // For a terminal nothing is on its way any more: its table says the same.
  for (const summary of summaries) told.tell((reporter) => reporter.finish?.(summary), ({ kind }) => kind !== 'terminal');
  const flaky = flakyOf(summaries.map(({ cell, attempt, outcome }) => ({ scenario: cell, attempt, outcome })));
  if (shards[0]!.shard.plan.harness.dirty)
    terminal.writeError('note: hangup itself had changes that were not committed: whether they were the same for every shard cannot be told\n');
  const differences = installed.differences();
  if (differences.length > 0) terminal.writeError(`note: not the same on every machine: ${oneLine(differences.join('; '), 2_000)}\n`);
  const notRun = notRunOf(shards);
  const end = { summaries, flaky, ...(notRun.length > 0 ? { notRun } : {}), tookMs: tookOf(shards), folder: output, start };
  return told.end({ ...end, exitCode: codeOf(shards, summaries, notRun.length) }, output);
};
