// Runs the cell of a search at one place. Its session is opened at the first run: a search whose answer is known already starts nothing.
import { relative } from 'node:path';
import { ProblemError } from '../model/problem.ts';
import type { PhaseName } from '../model/observation.ts';
import { nowMs } from '../model/time.ts';
import { seenOf } from '../plan/bisect-run/answer.ts';
import type { Ran, Runner } from '../plan/bisect-run/search.ts';
import type { Session } from '../plan/session.ts';
import { stableTextOf } from '../systems/card-secrets.ts';
import { titleOf } from '../systems/cell.ts';
import { createControls } from './bisect-controls.ts';
import type { Asked } from './bisect-question.ts';
import type { BisectOptions } from './bisect-options.ts';
import type { Terminal } from './command.ts';
import { createControlProblems } from './control-problems.ts';
import { openSession, runSelection, scheduleOf, whileWatched } from './session.ts';

/** What takes no longer is no work. */
const WORTH_MS = 250;

export type RunnerInput = {
  readonly terminal: Terminal;
  readonly options: BisectOptions;
  readonly asked: Asked;
  /** Folder of the search. */
  readonly folder: string;
  readonly progress: (line: string) => void;
  readonly onPhase: (cell: string, phase: PhaseName) => void;
};

const sessionOf = ({ terminal, options, asked, folder, progress, onPhase }: RunnerInput, first: readonly string[]): Promise<Session> => {
  const cell = asked.cellAt(first);
  terminal.secrets.keepReadable(stableTextOf(cell));
  return openSession({
    argv: terminal.argv,
    root: folder,
    asked: { variables: options.variables, system: options.system },
    chosen: asked.chosen,
    cells: [cell],
    progress,
    signal: terminal.signal,
    secrets: options.secrets,
    hidden: terminal.secrets,
    onPhase: (running, phase) => onPhase(titleOf(running), phase),
  });
};

/** Works while `use` does; what it has started is gone afterwards. */
export const withRunner = async <T>(input: RunnerInput, use: (run: Runner) => Promise<T>): Promise<T> => {
  const { terminal, options, asked, folder, progress } = input;
  const own = createControls();
  const broken = createControlProblems(progress);
  const attempts = new Map<string, number>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let watched: Promise<unknown> = Promise.resolve();
  let opened: Promise<Session> | undefined;
  const schedule = scheduleOf(asked.chosen.runtime.kind, options.jobs, { runtime: asked.chosen.runtime, signal: terminal.signal });

  const open = async (place: readonly string[]): Promise<Session> => {
    const session = await sessionOf(input, place);
    watched = whileWatched(session, () => over);
    return session;
  };
  const run: Runner = async (place): Promise<Ran> => {
    const session = await (opened ??= open(place));
    const cell = asked.cellAt(place);
    terminal.secrets.keepReadable(stableTextOf(cell));
    const beganMs = nowMs();
    const isNew = !attempts.has(cell.id);
    await session.provide?.([cell]);
    const prepareMs = Math.round(nowMs() - beganMs);
    const firstAttempt = (attempts.get(cell.id) ?? 0) + 1;
    attempts.set(cell.id, firstAttempt);
    const running = runSelection({
      cells: [cell], repeat: 1, firstAttempt, controls: own.controls, controlAttempt: own.attemptOf(cell), session, schedule, onResult: () => {},
      onControl: (control, problems) => broken.tell(titleOf(control), problems),
    });
    // Begun by now, if it has one: before the cell itself.
    const control = own.of(cell);
    const [result] = await running;
    await own.ended(cell, control, result!.outcome);
    terminal.signal.throwIfAborted();
    const seen = terminal.secrets.shown.value(seenOf(result!));
    // Not this version's doing: nothing is learnt of it, and the next run would come to the same.
    if (seen.blame === 'elsewhere') throw new ProblemError(result!.problems);
    return { seen, evidence: result!.folder === '' ? null : relative(folder, result!.folder), tookMs: result!.tookMs, ...(isNew && prepareMs > WORTH_MS ? { prepareMs } : {}) };
  };
  try {
    return await use(run);
  } finally {
    end();
    await watched;
  }
};
