// Whether verdicts stay right when the machine is not: the clean scenarios and the planted defects with the processors
// oversubscribed, or (`--idle`) the clean ones over and over. `npm run stress -- --help`.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCells } from '../cli/load-cells.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from '../cli/session.ts';
import { formatMs, nowMs, parseDuration } from '../model/time.ts';
import type { CellResult } from '../plan/run-cell.ts';
import type { Loaded } from '../plan/select.ts';
import { resolveCell } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import { heldOtherwise, wrongVerdicts } from './stress/rules.ts';
import type { Held, Outcomes } from './stress/rules.ts';
import { shuffled } from './stress/shuffle.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CARD = 'reference-router';
/** More than this share of the runs that saw nothing says that measuring is too fragile. */
const MOST_INCONCLUSIVE = 0.25;

const HELP = `usage: npm run stress [-- options]

  --runs N            how many scenario runs: 200, or 500 with --idle
  --load N            runnable processes for each processor, beside the runs: 8
  --idle              nothing beside the runs; the clean scenarios alone, of which none may be inconclusive
  --for 45m           ends the load and starts nothing more after that time: 45m
  --seed N            of the order: 1
  --runtime docker    process is the default
  --jobs N            runs side by side

Wrong is: a claim held that a planted defect must violate, or violated on the clean system.
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    load: { type: 'string', default: '8' },
    idle: { type: 'boolean', default: false },
    for: { type: 'string', default: '45m' },
    seed: { type: 'string', default: '1' },
    runtime: { type: 'string', default: 'process' },
    jobs: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Cells with one defect, or none, some of them several times. */
type Work = { readonly defect: string | null; readonly cells: readonly Cell[]; readonly repeat: number };

/** @returns works whose runs are `wanted` or, where cells are repeated, a little more */
const worksOf = (loaded: readonly Loaded[], { runtime, isolation }: Selected, wanted: number): readonly Work[] => {
  const cellOf = ({ scenario, card }: Loaded, planted: readonly string[]): Cell =>
    resolveCell({ scenario, card, runtime: runtime.kind, isolation, presets: planted, defects: planted });
  const seed = Number(values.seed);
  const take = <T>(items: readonly T[], count: number): { readonly taken: readonly T[]; readonly repeat: number } => {
    const repeat = Math.max(1, Math.ceil(count / items.length));
    return { taken: shuffled(items, seed).slice(0, Math.ceil(count / repeat)), repeat };
  };
  const clean = take(loaded, values.idle ? wanted : Math.ceil(wanted / 2));
  const cleanWork = { defect: null, cells: clean.taken.map((one) => cellOf(one, [])), repeat: clean.repeat };
  if (values.idle) return [cleanWork];
  const pairs = take(loaded.flatMap((one) => Object.keys(one.scenario.catches).map((defect) => ({ one, defect }))), Math.floor(wanted / 2));
  const planted = [...Map.groupBy(pairs.taken, ({ defect }) => defect)].map(([defect, own]): Work => ({
    defect, cells: own.map(({ one }) => cellOf(one, [defect])), repeat: pairs.repeat,
  }));
  return shuffled([cleanWork, ...planted], seed);
};

/** Processes that want a processor all the time, and end by themselves when their time is over. */
const startLoad = (perProcessor: number, forMs: number): readonly ChildProcess[] =>
  Array.from({ length: perProcessor * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', `const end = Date.now() + ${forMs}; while (Date.now() < end);`], { stdio: 'ignore' }));

const heldList = (): Held =>
  (JSON.parse(readFileSync(join(ROOT, 'docs', 'held-claims.json'), 'utf8')) as Record<string, Held>)[values.runtime] ?? {};

/** What is wrong with one run: nothing where its verdict is right, or none. */
const wrongWith = (result: CellResult, defect: string | null, listed: Held): readonly string[] => [
  ...wrongVerdicts(result, defect),
  ...(values.idle ? heldOtherwise(result, listed) : []),
];

/** A run that the end of the time cut off has no verdict, and is none of the runs. */
const runAll = async (works: readonly Work[], chosen: Selected, root: string, signal: AbortSignal): Promise<Outcomes> => {
  const session = await openSession({
    argv: process.argv.slice(2), root, chosen, cells: works.flatMap(({ cells }) => cells), progress: say,
    signal, secrets: {}, onPhase: () => {},
  });
  const schedule = scheduleOf(chosen.runtime.kind, values.jobs === undefined ? null : Number(values.jobs));
  const listed = values.idle ? heldList() : {};
  const outcomes = { runs: 0, inconclusive: 0, wrong: [] as string[] };
  const told = (result: CellResult, defect: string | null): void => {
    if (result.outcome === 'interrupted' || result.outcome === 'does-not-apply') return;
    outcomes.runs += 1;
    if (result.outcome === 'inconclusive') outcomes.inconclusive += 1;
    const found = wrongWith(result, defect, listed);
    outcomes.wrong.push(...found);
    say(`${outcomes.runs}  ${result.outcome}  ${defect ?? 'clean'}  ${result.cell.id}${result.attempt > 1 ? ` (${result.attempt})` : ''}`);
    for (const one of found) say(`WRONG  ${one}\n       evidence: ${result.folder}`);
    if (found.length === 0 && result.outcome !== 'inconclusive') rmSync(result.folder, { recursive: true, force: true });
  };
  await whileWatched(session, () =>
    Promise.all(works.map(({ defect, cells, repeat }) =>
      runSelection({ cells, repeat, session, schedule, onResult: (result) => told(result, defect) }))));
  return outcomes;
};

const main = async (): Promise<number> => {
  const beganMs = nowMs();
  const duration = parseDuration(values.for);
  if (duration === undefined || !('ms' in duration)) throw new Error(`--for takes a time such as 45m, not ${values.for}`);
  const loaded = (await loadCells([], {}, null, ROOT)).filter(
    ({ card, scenario }) => card.system === CARD && scenario.concludes === undefined,
  );
  const chosen = await selectRuntime(values.runtime as RuntimeKind, { progress: say });
  const works = worksOf(loaded, chosen, Number(values.runs ?? (values.idle ? 500 : 200)));
  const root = mkdtempSync(join(tmpdir(), 'hangup-stress-'));
  const over = AbortSignal.timeout(duration.ms);
  const load = values.idle ? [] : startLoad(Number(values.load), duration.ms);
  const stopLoad = (): void => load.forEach((child) => void child.kill('SIGKILL'));
  const { runs, inconclusive, wrong } = await runAll(works, chosen, root, over).finally(stopLoad);
  const most = values.idle ? 0 : Math.floor(runs * MOST_INCONCLUSIVE);
  if (wrong.length === 0) rmSync(root, { recursive: true, force: true });
  const under = values.idle ? 'idle' : `${values.load} runnable processes a processor`;
  const share = `${inconclusive} inconclusive (${most} allowed)`;
  say(`${runs} runs on ${chosen.runtime.kind}, ${under}: ${wrong.length} wrong, ${share}, ${formatMs(nowMs() - beganMs)}`);
  return runs > 0 && wrong.length === 0 && inconclusive <= most && !over.aborted ? 0 : 1;
};

process.exitCode = 3;
if (values.help) process.stdout.write(HELP);
process.exitCode = values.help ? 0 : await main();
