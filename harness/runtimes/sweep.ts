// Removes all that is left of one run: processes by their environment, containers, volumes and
// networks by their label, folders by name, and last the note that the run existed.
import { rm } from 'node:fs/promises';
import { messageOf } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import { killAll, pidsWithEnvironment } from './processes.ts';
import { runFileOf } from './run-files.ts';
import type { Remains } from './run-files.ts';
import { silenceFileOf } from './silence.ts';

const PAUSE_MS = 100;
/** A guard has the time: the engine may be starting again. */
const NO_ANSWER_PAUSE_MS = 1_000;
const LIMIT_MS = 60_000;
/** Somebody waits for a start. */
const AWAITED_LIMIT_MS = 15_000;
const EMPTY_PASSES = 3;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const sweepProcesses = (runId: string): number => {
  const found = pidsWithEnvironment({ HANGUP_RUN: runId }).filter((pid) => pid !== process.pid);
  killAll(found);
  return found.length;
};

/** @returns how many things the engine still had; loaded only when needed, since it is slow to load */
export const sweepContainers = async (runId: string): Promise<number> => {
  const { connectEngine } = await import('./docker.ts');
  const { sweepEngine } = await import('./docker-sweep.ts');
  return sweepEngine(await connectEngine(), runId);
};

type Pass = { readonly found: number; readonly why: string | null; readonly isAnswered: boolean };

const passEngine = (runId: string): Promise<Pass> =>
  sweepContainers(runId).then(
    (found) => ({ found, why: found === 0 ? null : `${found} things are still there`, isAnswered: true }),
    (error: unknown) => ({ found: 1, why: messageOf(error), isAnswered: false }),
  );

/**
 * Until two passes in a row were answered and found nothing, and then once more: the engine may still be at work on a request
 * that the harness sent just before it died. Where nobody waits, errors of one pass do not end it.
 * @returns why that did not come to be
 */
const sweepFromEngine = async (runId: string, isAwaited: boolean): Promise<string | null> => {
  const untilMs = nowMs() + (isAwaited ? AWAITED_LIMIT_MS : LIMIT_MS);
  for (let empty = 0; ;) {
    const processes = sweepProcesses(runId);
    const { found, why, isAnswered } = await passEngine(runId);
    empty = processes + found === 0 ? empty + 1 : 0;
    if (empty === EMPTY_PASSES) return null;
    if ((isAwaited && !isAnswered) || nowMs() > untilMs) return why;
    await pause(isAnswered ? PAUSE_MS : NO_ANSWER_PAUSE_MS);
  }
};

const sweepFolders = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
};

/** What is on this machine: processes that are being born meanwhile are there in the next pass. */
export const sweepHere = async ({ runId, folders }: Remains): Promise<void> => {
  const untilMs = nowMs() + LIMIT_MS;
  for (let empty = 0; empty < EMPTY_PASSES && nowMs() < untilMs;) empty = sweepProcesses(runId) === 0 ? empty + 1 : 0;
  await sweepFolders(folders);
};

/**
 * The note goes last, and stays where the engine did not say that nothing is left: a later start will ask it again.
 * @param isAwaited somebody waits for this, so that an engine which does not answer is not waited for
 * @returns why the engine may still have something of it; null: nothing is left
 */
export const sweepRun = async (remains: Remains, isAwaited = false): Promise<string | null> => {
  const why = remains.engine ? await sweepFromEngine(remains.runId, isAwaited) : null;
  await sweepHere(remains);
  if (why !== null) return why;
  for (const path of [silenceFileOf(remains.runId), runFileOf(remains.runId)]) await rm(path, { force: true });
  return null;
};
