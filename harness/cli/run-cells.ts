// The cells of `hangup run` from the first to the last result: a session, the schedule, reporters told, what must be known afterwards
// (durations, the last run) written.
import { relative } from 'node:path';
import { EXIT, exitCode } from '../model/exit-code.ts';
import { messageOf } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import { plural } from '../reports/text.ts';
import type { RuntimeKind } from '../runtimes/runtime.ts';
import type { Selected } from '../runtimes/select.ts';
import { titleOf } from '../systems/cell.ts';
import type { Cell } from '../systems/cell.ts';
import type { Terminal } from './command.ts';
import { createControlProblems } from './control-problems.ts';
import { createKeeper } from './keep.ts';
import type { Keeper } from './keep.ts';
import { LAST_RUN_FILE, lastRunOf, notAmong, writeLastRun } from './last-run.ts';
import type { LastRunCell } from './last-run.ts';
import type { Ran } from './run-git-bisect.ts';
import { codeWithout, createLimits } from './run-limits.ts';
import type { RunOptions } from './run-options.ts';
import type { RunReporters } from './run-reporters.ts';
import type { LeftOut, Sharded } from './run-shard.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from './session.ts';

export type RunCellsInput = {
  readonly terminal: Terminal;
  readonly options: RunOptions;
  /** In the order in which they are to begin. */
  readonly cells: readonly Cell[];
  /** With `--last-failed`: what it was about. */
  readonly failed: readonly LastRunCell[];
  readonly part: Sharded;
  readonly seed: number;
  readonly chosen: Selected;
  /** Where the axis `runtime` asks for more than one. */
  readonly others?: ReadonlyMap<RuntimeKind, Selected>;
  readonly reporters: RunReporters;
  /** The output folder. */
  readonly root: string;
};

/** Evidence says more than this, and is written by then: it is told, and fails nothing. */
const keepLastRun = async ({ terminal, options, cells, failed, seed, reporters, root }: RunCellsInput, code: number): Promise<void> => {
  const ids = cells.map(({ id }) => id);
  const lastRun = lastRunOf(ids, reporters.results(), { strict: options.strict, seed, exitCode: code }, notAmong(failed, ids));
  await writeLastRun(root, terminal.secrets.shown.value(lastRun)).catch((error: unknown) =>
    terminal.writeError(`hangup: ${relative(terminal.cwd, root)}/${LAST_RUN_FILE} was not written: ${messageOf(error)}\n`));
};

const openFor = ({ terminal, options, cells, seed, chosen, others, reporters, root }: RunCellsInput, keeper: Keeper | null): ReturnType<typeof openSession> =>
  openSession({
    argv: terminal.argv,
    root,
    evidence: options.evidence,
    captureBytes: options.captureBytes,
    asked: { variables: options.variables, system: options.system },
    chosen,
    ...(others ? { others } : {}),
    cells,
    seed,
    progress: (line) => terminal.writeError(`${line}\n`),
    signal: terminal.signal,
    secrets: options.secrets,
    hidden: terminal.secrets,
    onPhase: reporters.phase,
    ...(keeper ? { keeping: keeper.keeping } : {}),
  });

export const runCells = async (input: RunCellsInput): Promise<Ran> => {
  const { terminal, options, cells, part, chosen, reporters, seed } = input;
  const beganMs = nowMs();
  const progress = (line: string): void => terminal.writeError(`${line}\n`);
  reporters.begin({ scenarios: cells.map(({ id }) => id), runtime: [chosen.runtime.kind, ...(input.others?.keys() ?? [])].join(', '), why: chosen.why, seed });
  const keeper = createKeeper(options, terminal);
  const session = await openFor(input, keeper);
  const carried = notAmong(input.failed, cells.map(({ id }) => id)).length;
  if (carried > 0) progress(`--last-failed: ${plural(carried, 'cell')} that did not pass the last time and ${carried === 1 ? 'is' : 'are'} not among these: still on the list`);
  if (session.output !== null) {
    // As it stands where it is killed.
    await keepLastRun(input, EXIT.interrupted);
    await part.begin(session.output);
  }
  const controls = createControlProblems(progress);
  const limits = createLimits(options, reporters.results, keeper);
  const notRun: LeftOut[] = [];
  const ran = await whileWatched(session, () =>
    runSelection({
      cells,
      repeat: options.repeat,
      inRounds: options.untilFailure,
      session,
      schedule: scheduleOf(chosen.runtime.kind, options.jobs, { runtime: chosen.runtime, signal: terminal.signal, tell: progress }),
      ...limits,
      onNotRun: (cell, attempt, why) => {
        // Further attempts that were only made until something fails are not missed.
        if (options.untilFailure && attempt > 1) return reporters.notNeeded(why);
        notRun.push({ cell, attempt, why });
        reporters.notRun(cell, attempt, why);
      },
      onResult: (result) => {
        try {
          reporters.result(result);
        } finally {
          keeper?.ended(result.cell.id);
        }
      },
      onControl: (control, problems) => {
        reporters.control(control);
        controls.tell(titleOf(control), problems);
      },
    }),
  );
  controls.end(ran.flatMap(({ problems }) => problems));
  const reached = terminal.signal.aborted ? EXIT.interrupted : codeWithout(notRun.length, exitCode(reporters.results(), options.strict));
  const tell = async (code: number): Promise<number> => {
    if (session.output !== null) await keepLastRun(input, code);
    return reporters.end(code, Math.round(nowMs() - beganMs), session.output);
  };
  const code = await part.end(session.output, ran, notRun, reached).catch(async (error: unknown) => {
    // That it cannot be merged takes nothing from what was found.
    await tell(EXIT.error);
    throw error;
  });
  return { code: await tell(code), results: ran };
};
