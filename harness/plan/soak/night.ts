// A night: groups of cells begun one after the other within a time budget, each ended whole; every result is read, counted, kept or let
// go at once. Nothing here grows with the night.
import { join } from 'node:path';
import { messageOf, problemsOf, ProblemError } from '../../model/problem.ts';
import type { Problem } from '../../model/problem.ts';
import { formatMs, nowMs } from '../../model/time.ts';
import type { Cell } from '../../systems/cell.ts';
import type { CellResult } from '../run-cell.ts';
import type { Session } from '../session.ts';
import type { Disk } from './disk.ts';
import { createEngineGate, pauseFor } from './engine.ts';
import type { EngineGate } from './engine.ts';
import { createKeeping } from './keeping.ts';
import { createLives } from './lives.ts';
import type { Lives } from './lives.ts';
import { createReadings } from './readings.ts';
import type { Readings } from './readings.ts';
import { createRotation, groupsOf, plannedMsOf } from './rotation.ts';
import type { Group } from './rotation.ts';
import { whyNoLife } from './long-life.ts';
import { createTally, isJudged, note, worthOf } from './tally.ts';
import type { Tally, Told } from './tally.ts';

export type RunGroup = (group: {
  readonly cells: readonly Cell[];
  readonly session: Session;
  readonly firstAttempt: number;
  readonly whyNoMore: () => string | null;
  readonly onResult: (result: CellResult) => void;
  readonly onControl: (control: Cell, problems: readonly Problem[]) => void;
}) => Promise<unknown>;

export type NightInput = {
  readonly cells: readonly Cell[];
  readonly session: Session & { readonly output: string };
  readonly seed: number;
  readonly forMs: number;
  /** How long one system is driven again and again; null: none is. */
  readonly liveForMs: number | null;
  readonly sampleEveryMs: number;
  /** Groups side by side at most. */
  readonly atOnce: number;
  readonly disk: Disk;
  readonly run: RunGroup;
  /** @param session that the group had, which knows its secrets */
  readonly tell: (result: CellResult, session: Session) => Told;
  /** Forgets what is only known of one group: secrets of its accounts. @returns a session for it */
  readonly sessionFor: (session: Session) => Session;
  /** After each run: what is known so far, for a night that does not come to its end. */
  readonly checkpoint: (tallies: readonly Tally[]) => Promise<void>;
  readonly sweep: () => Promise<unknown>;
  readonly progress: (line: string) => void;
};

export type NightEnd = {
  readonly tallies: readonly Tally[];
  readonly readings: Readings;
  readonly outages: ReturnType<EngineGate['outages']>;
  readonly rounds: number;
  readonly tookMs: number;
  readonly endedEarly: string | null;
  /** What nobody expected, and ended it; null: nothing did. */
  readonly fault: { readonly error: unknown } | null;
  readonly largestAtOnce: number;
  readonly lives: ReturnType<Lives['said']>;
};

/** A run that is longer than any that was planned hangs: it is cut, and the night goes on. */
const LONGEST_MS = 20 * 60_000;
const PROGRESS_MS = 60_000;

/** Where nothing works, trying again at once is of no use, and fills the disk. */
const pauseAfter = (errorsInARow: number): number => (errorsInARow < 8 ? 0 : Math.min(60_000, 500 * 2 ** Math.min(8, errorsInARow - 8)));

const tooLong = (): Error =>
  new ProblemError({
    family: 'harness', code: 'run-too-long', message: `a run of the soak was not over after ${formatMs(LONGEST_MS)} more than was planned and was cut`,
    hint: 'its bundle shows how far it had come',
  });

const noRoom = (): Error =>
  new ProblemError({
    family: 'environment', code: 'no-room-left', message: 'what is under way takes more room than --keep-disk allows, with everything else removed',
    hint: 'give --keep-disk more, or --jobs less',
  });

/** What the night cut, and nobody else did, has gone wrong: it must not look like a run that was told to stop. */
const asCut = (result: CellResult, own: AbortSignal, ofNight: AbortSignal): CellResult => {
  const isCut = own.aborted && !(ofNight.aborted && own.reason === ofNight.reason);
  return isCut && result.outcome === 'interrupted' ? { ...result, outcome: 'error', problems: [...problemsOf(own.reason), ...result.problems] } : result;
};

export const soakNight = async (input: NightInput): Promise<NightEnd> => {
  const { session, forMs, disk, progress } = input;
  const { signal } = session;
  const beganMs = nowMs();
  const elapsedMs = (): number => nowMs() - beganMs;
  const isOver = (): boolean => signal.aborted || elapsedMs() >= forMs;
  const gate = createEngineGate({ runtime: session.runtime, sweep: input.sweep, elapsedMs, isOver, signal, progress });
  const keeping = createKeeping(session.output, disk);
  const readings = createReadings(elapsedMs, input.sampleEveryMs);
  const rotation = createRotation(groupsOf(input.cells), input.seed);
  const lives = createLives(input.cells, input.atOnce < 2 ? null : input.liveForMs, input.seed, () => forMs - elapsedMs());
  const tallies = new Map<string, Tally>();
  const underWay = new Map<string, { readonly work: Promise<void>; readonly cut: AbortController; readonly folder: string }>();
  let runs = 0;
  let errorsInARow = 0;
  let endedEarly: string | null = null;
  let fault: NightEnd['fault'] = null;

  const settle = async (given: CellResult, group: Group, own: Session): Promise<void> => {
    const result = asCut(given, own.signal, signal);
    const told = input.tell(result, own);
    const { cell } = result;
    gate.suspect(result.problems);
    const tally = tallies.get(cell.id) ?? createTally(cell.id, cell.card.system);
    tallies.set(cell.id, tally);
    // What was cut in its middle has given nothing back yet, which is no growth.
    if (told.folder !== null && (cell.drivenAgain !== undefined || isJudged(told.status))) await readings.readRun(cell, told.folder, group.startedMs ?? 0, whyNoLife(result));
    const needless = note(tally, told);
    if (told.folder !== null && told.status !== 'does-not-apply')
      await keeping.keep(told.folder, worthOf(told.status));
    if (needless !== null) await disk.drop(needless);
    runs += 1;
    errorsInARow = told.status === 'error' ? errorsInARow + 1 : 0;
    await input.checkpoint([...tallies.values()]);
  };

  const runGroup = async (group: Group, folder: string, cut: AbortController, longestMs: number): Promise<void> => {
    const settling: Promise<void>[] = [];
    const onAbort = (): void => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    const timer = setTimeout(() => cut.abort(tooLong()), longestMs + LONGEST_MS);
    try {
      const own = input.sessionFor({ ...session, output: folder, stages: join(session.stages, folder.slice(-5)), signal: cut.signal });
      await input.run({
        cells: group.cells, session: own, firstAttempt: rotation.rounds(),
        // Without the engine what has not begun would only fail as well.
        whyNoMore: () => (isOver() ? 'the time was over' : gate.isAway() ? 'the engine was away' : null),
        // Caught at once: what nobody has caught yet would end the process, and the night with it.
        onResult: (result) => void settling.push(settle(result, group, own).catch((error: unknown) => {
          fault ??= { error };
        })),
        onControl: (_, problems) => gate.suspect(problems),
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      await Promise.all(settling);
      await keeping.end(folder);
    }
  };

  const begin = async (found: Group, longestMs: number): Promise<boolean> => {
    const folder = await keeping.begin(found.cells.length);
    if (folder === null) return false;
    const group = { ...found, startedMs: elapsedMs() };
    const cut = new AbortController();
    const work = runGroup(group, folder, cut, longestMs)
      .catch((error: unknown) => {
        fault ??= { error };
      })
      .finally(() => underWay.delete(group.key));
    underWay.set(group.key, { work, cut, folder });
    return true;
  };

  /** Begins one more, if there is one that can be. */
  const beginNext = async (): Promise<boolean> => {
    const life = lives.next((key) => underWay.has(key));
    if (life !== undefined) return (await begin(life.group, life.forMs)) && life.begun();
    if (underWay.size >= input.atOnce) return false;
    const group = rotation.next((key) => underWay.has(key));
    if (group === undefined) return false;
    const hasBegun = await begin(group, plannedMsOf(group));
    if (!hasBegun) rotation.putBack(group);
    return hasBegun;
  };

  const watch = keeping.watch((folder) => {
    const largest = [...underWay.values()].find((each) => each.folder === folder);
    // It may take a while to end.
    if (largest === undefined || largest.cut.signal.aborted) return;
    progress('no room is left for what is under way: the largest is cut');
    largest.cut.abort(noRoom());
  });
  const clock = setInterval(() => {
    const failed = [...tallies.values()].reduce((sum, { notPassed }) => sum + notPassed, 0);
    progress(`${formatMs(elapsedMs())} of ${formatMs(forMs)}: ${runs} runs of ${tallies.size} scenarios, ${failed} not passed, ${Math.round(disk.keptBytes() / 2 ** 20)} MiB kept`);
  }, PROGRESS_MS);
  try {
    while (!isOver() && fault === null) {
      await pauseFor(pauseAfter(errorsInARow), signal);
      while (!isOver() && !gate.isSuspected() && (await beginNext()));
      const works = [...underWay.values()].map(({ work }) => work);
      if (gate.isSuspected()) {
        await gate.ask();
        if (!gate.isAway()) continue;
        await Promise.all(works);
        if (!(await gate.untilAnswering())) break;
      } else if (works.length > 0) await Promise.race(works);
      else if (!isOver()) {
        endedEarly = 'there was no room for a single run within --keep-disk, beside the violations that are kept and the pages of earlier nights';
        break;
      }
    }
    await Promise.all([...underWay.values()].map(({ work }) => work));
  } finally {
    clearInterval(clock);
    watch.stop();
    readings.stop();
  }
  if (fault !== null) endedEarly = `what nobody expected: ${messageOf((fault as { readonly error: unknown }).error)}`;
  else if (signal.aborted) endedEarly = 'it was told to stop';
  return {
    tallies: [...tallies.values()], readings, outages: gate.outages(), rounds: rotation.rounds(), tookMs: elapsedMs(), endedEarly, fault,
    largestAtOnce: keeping.largestAtOnce(), lives: lives.said(),
  };
};
