// Every planted defect over the scenarios, and the clean system over all of them: whether each defect is caught by the
// claims that name it, and nobody is accused who must not be. Exits 1 where that is not so. `npm run kill-matrix -- --help`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCells } from '../cli/load-cells.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from '../cli/session.ts';
import { nowMs } from '../model/time.ts';
import { resolveCell } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import type { Loaded } from '../plan/select.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { CellResult } from '../plan/run-cell.ts';
import { defectNames } from '../../images/reference-router/defects/registry.ts';
import { choose, fileIdOf } from './matrix/plan.ts';
import { pageOf } from './matrix/page.ts';
import type { About } from './matrix/page.ts';
import { accusedBy, matrixOf, namedOf, renewed, wrongWith, wrongWithAll } from './matrix/rules.ts';
import type { Matrix, Named } from './matrix/rules.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DATA = join(ROOT, 'docs', 'kill-matrix.json');
const PAGE = join(ROOT, 'docs', 'kill-matrix.md');
const CARD = 'reference-router';

const HELP = `usage: npm run kill-matrix [-- options] [defect ...]

  --named             each defect on the rows that name it and on one that it must leave alone (what CI runs)
  --cells all         every cell of every matrix; one (the default): of rows that do not name the defect the first
  --scenario a,b      only these scenarios, every defect; what the matrix knew of them is replaced
  --runtime docker    process is the default
  --jobs N            runs side by side
  --output DIR        keeps the bundles; otherwise only those of a run in which something was wrong

Without --named and without names of defects docs/kill-matrix.md and docs/kill-matrix.json are written.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    named: { type: 'boolean', default: false },
    cells: { type: 'string', default: 'one' },
    scenario: { type: 'string' },
    runtime: { type: 'string', default: 'process' },
    jobs: { type: 'string' },
    output: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** One defect, or none, on some cells. */
type Work = { readonly defect: string | null; readonly cells: readonly Cell[] };

/** What a scenario says of itself that it must not all hold catches nothing, and is not accused by that. */
const isJudged = ({ scenario, card }: Loaded): boolean => card.system === CARD && scenario.concludes === undefined;

const wantedIds = values.scenario?.split(',').map((id) => id.trim());
const isWanted = (id: string): boolean => wantedIds === undefined || wantedIds.includes(fileIdOf(id));

type Stored = Matrix & { /** How the last whole one was made. */ readonly made: Omit<About, 'scenarios'> };

const known = (): Stored => JSON.parse(readFileSync(DATA, 'utf8')) as Stored;

const worksOf = (loaded: readonly Loaded[], defects: readonly string[], { runtime, isolation }: Selected): readonly Work[] => {
  const cellOf = ({ scenario, card }: Loaded, planted: readonly string[]): Cell =>
    resolveCell({ scenario, card, runtime: runtime.kind, isolation, presets: planted, defects: planted });
  const wanted = { rows: values.named ? 'named' : 'all', cells: values.cells === 'all' ? 'all' : 'one' } as const;
  const clean = values.named ? [] : [{ defect: null, cells: loaded.map((one) => cellOf(one, [])) }];
  const planted = choose(loaded, defects, wanted, values.named ? known() : null);
  return [...clean, ...planted.map(({ defect, cells }) => ({ defect, cells: cells.map((one) => cellOf(one, [defect])) }))];
};

/** Tells what is wrong as it comes, and keeps the evidence of that alone. */
const createTally = (total: number, beganMs: number, named: Named) => {
  const wrong: string[] = [];
  let done = 0;
  return {
    wrong,
    told: (result: CellResult, defect: string | null): void => {
      done += 1;
      const found = defect === null ? accusedBy(result) : wrongWith(result, defect, named);
      wrong.push(...found);
      for (const each of found) say(`WRONG  ${each}\n       evidence: ${result.folder}`);
      if (found.length === 0 && values.output === undefined) rmSync(result.folder, { recursive: true, force: true });
      if (done % 25 !== 0 && done !== total) return;
      say(`${done} of ${total} runs, ${wrong.length} wrong, ${Math.round((nowMs() - beganMs) / 1_000)} s`);
    },
  };
};

type Tally = ReturnType<typeof createTally>;
type Ran = Parameters<typeof matrixOf>[0];

/** @returns results by defect; of the clean system only what is wrong is kept */
const runAll = async (works: readonly Work[], chosen: Selected, root: string, tally: Tally): Promise<Ran> => {
  const session = await openSession({
    argv: process.argv.slice(2), root, chosen, cells: works.flatMap(({ cells }) => cells), progress: say,
    signal: new AbortController().signal, secrets: {}, onPhase: () => {},
  });
  const schedule = scheduleOf(chosen.runtime.kind, values.jobs === undefined ? null : Number(values.jobs));
  const runs = await whileWatched(session, () =>
    Promise.all(works.map(async ({ defect, cells }) => ({
      defect, results: await runSelection({ cells, repeat: 1, session, schedule, onResult: (result) => tally.told(result, defect) }),
    }))));
  return new Map(runs.flatMap(({ defect, results }) => (defect === null ? [] : [[defect, results] as const])));
};

const write = (ran: Matrix, now: Stored['made'], loaded: readonly Loaded[]): void => {
  const run = [...new Set(loaded.map(({ scenario }) => fileIdOf(scenario.id)))];
  const isPart = wantedIds !== undefined;
  const matrix = isPart ? renewed(known(), ran, run) : ran;
  const made = isPart ? known().made : now;
  const scenarios = [...new Set([...run, ...Object.values(matrix.touched).flat()])].sort();
  writeFileSync(DATA, `${JSON.stringify({ made, ...matrix }, null, 1)}\n`);
  writeFileSync(PAGE, pageOf(matrix, { ...made, scenarios }));
};

const main = async (): Promise<number> => {
  const beganMs = nowMs();
  const isWhole = !values.named && positionals.length === 0;
  const all = (await loadCells([], {}, null, ROOT)).filter(isJudged);
  const loaded = all.filter(({ scenario }) => isWanted(scenario.id));
  const chosen = await selectRuntime(values.runtime as RuntimeKind, { progress: say });
  const defects = positionals.length > 0 ? positionals : defectNames;
  const works = worksOf(loaded, defects, chosen);
  const total = works.reduce((sum, { cells }) => sum + cells.length, 0);
  const root = values.output ?? mkdtempSync(join(tmpdir(), 'hangup-matrix-'));
  const rows = all.map(({ scenario }) => scenario);
  const named = namedOf(rows);
  const tally = createTally(total, beganMs, named);
  const ran = await runAll(works, chosen, root, tally);
  const minutes = Math.round((nowMs() - beganMs) / 60_000);
  const wrong = [...tally.wrong, ...(positionals.length > 0 ? [] : wrongWithAll(defects, rows))];
  if (isWhole) write(matrixOf(ran, named), { runtime: chosen.runtime.kind, cells: total, minutes }, loaded);
  if (wrong.length === 0 && values.output === undefined) rmSync(root, { recursive: true, force: true });
  for (const one of wrong) say(`WRONG  ${one}`);
  const verdict = wrong.length === 0 ? 'all as it must be' : `${wrong.length} things wrong`;
  say(`${defects.length} defects, ${total} runs on ${chosen.runtime.kind} in ${minutes} minutes: ${verdict}`);
  return wrong.length === 0 && total > 0 ? 0 : 1;
};

process.exitCode = 3;
if (values.help) process.stdout.write(HELP);
process.exitCode = values.help ? 0 : await main();
