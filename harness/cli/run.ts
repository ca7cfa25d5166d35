// `hangup run`: from paths and options to cells, runs, verdicts shown, one exit code.
import { randomBytes } from 'node:crypto';
import { readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createRedactor } from '../bundle/redact.ts';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { renderProblem } from '../model/render-problem.ts';
import { nowMs } from '../model/time.ts';
import { runPlan } from '../plan/run-plan.ts';
import { createSchedule } from '../plan/schedule.ts';
import { selectCells, whyNothing } from '../plan/select.ts';
import { makeOutput } from '../plan/session.ts';
import type { Session } from '../plan/session.ts';
import { reportOf } from '../reports/markdown.ts';
import { watchHarnessLag } from '../run/harness-lag.ts';
import { guardOf, sweepDead } from '../runtimes/guard.ts';
import { selectRuntime } from '../runtimes/select.ts';
import type { Selected } from '../runtimes/select.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { Terminal } from './command.ts';
import { harnessVersion } from './harness-version.ts';
import { loadCells } from './load-cells.ts';
import { provide } from './provide.ts';
import type { RunOptions } from './run-options.ts';
import { openReporters } from './run-reporters.ts';
import type { RunReporters } from './run-reporters.ts';

/** Most of a run is waiting: far more of them than processors. Containers cost the engine more. */
const DEFAULT_JOBS = { process: 12, docker: 7 } as const;

const stamp = (): string => new Date().toISOString().replace(/\..*/, '').replace(/[-:]/g, '').replace('T', '-');

const pointLatest = async (root: string, folder: string): Promise<void> => {
  const link = join(root, 'latest');
  await rm(link, { force: true }).catch(() => {});
  await symlink(basename(folder), link).catch(() => {});
};

const describe = (cell: Cell): string => {
  const claims = cell.claims.map(({ id, notApplicable }) => (notApplicable === null ? id : `(${id}: does not apply, ${notApplicable})`));
  const planted = cell.defects.length > 0 ? `, with ${cell.defects.join(', ')}` : '';
  return `${cell.id}\n  on ${cell.card.system}, runtime ${cell.runtime}${planted}\n  ${claims.join(', ')}\n`;
};

const openSession = async (
  terminal: Terminal,
  options: RunOptions,
  chosen: Selected,
  reporters: RunReporters,
): Promise<Omit<Session, 'installed'>> => {
  const runId = randomBytes(5).toString('hex');
  const root = resolve(terminal.cwd, options.output ?? 'evidence');
  const output = join(root, `${stamp()}-${runId}`);
  await makeOutput(output);
  await pointLatest(root, output);
  return {
    runId,
    runtime: chosen.runtime,
    output,
    stages: join(tmpdir(), `hangup-stages-${runId}`),
    signal: terminal.signal,
    secrets: options.secrets,
    timelines: new Set(),
    onPhase: reporters.phase,
    manifest: { argv: terminal.argv, harness: harnessVersion(), versions: await chosen.runtime.describe() },
  };
};

/** What was begun for all cells is ended however they end. */
const runAll = async (
  terminal: Terminal,
  options: RunOptions,
  cells: readonly Cell[],
  session: Session,
  reporters: RunReporters,
): Promise<void> => {
  guardOf(session.runId).addFolder(session.stages);
  const lag = watchHarnessLag(() => session.timelines);
  try {
    await runPlan({
      cells,
      repeat: options.repeat,
      session,
      schedule: createSchedule({ jobs: options.jobs, defaultJobs: DEFAULT_JOBS[session.runtime.kind] }),
      scenarioText: (cell) => readFile(cell.scenario.file, 'utf8'),
      report: reportOf,
      onResult: reporters.result,
      onControl: (control, problems) => {
        reporters.control(control);
        for (const one of problems) terminal.writeError(`${titleOf(control)}: ${renderProblem(one)}\n`);
      },
    });
  } finally {
    lag.stop();
    await rm(session.stages, { recursive: true, force: true });
  }
};

const runCells = async (
  terminal: Terminal,
  options: RunOptions,
  cells: readonly Cell[],
  chosen: Selected,
  reporters: RunReporters,
): Promise<number> => {
  const beganMs = nowMs();
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  reporters.begin({ scenarios: cells.map(({ id }) => id), runtime: chosen.runtime.kind, why: chosen.why });
  await sweepDead();
  const installed = await provide(
    cells.map(({ card }) => card),
    chosen.runtime.kind,
    progress,
    terminal.signal,
  );
  const session: Session = { ...(await openSession(terminal, options, chosen, reporters)), installed };
  await runAll(terminal, options, cells, session, reporters);
  const code = terminal.signal.aborted ? EXIT.interrupted : exitCode(reporters.results(), options.strict);
  reporters.end(code, Math.round(nowMs() - beganMs), session.output);
  return reporters.hasFailed() && code === EXIT.passed ? EXIT.error : code;
};

/** A secret that could not be kept out of the evidence is told before anything is started. @throws ProblemError `secret-too-short` */
const checkSecrets = (secrets: RunOptions['secrets']): void => {
  for (const secret of Object.values(secrets)) createRedactor().register(secret);
};

export const run = async (terminal: Terminal, options: RunOptions): Promise<number> => {
  const reporters = openReporters(options.reporters, terminal, options.repeat);
  checkSecrets(options.secrets);
  const loaded = await loadCells(options.paths, options.variables, options.system, terminal.cwd);
  const chosen = await selectRuntime(options.runtime, { progress: (line) => terminal.writeError(`${line}\n`) });
  const cells = selectCells(loaded, { ...options, runtime: chosen.runtime.kind, isolation: chosen.isolation });
  if (cells.length === 0) {
    terminal.writeError(`hangup: no scenario matched\n  hint: ${whyNothing(loaded, options)}\n`);
    return EXIT.nothing;
  }
  terminal.signal.throwIfAborted();
  if (!options.dryRun) return runCells(terminal, options, cells, chosen, reporters);
  for (const cell of cells) terminal.write(describe(cell));
  return EXIT.passed;
};
