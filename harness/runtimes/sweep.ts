// Removes all that is left of one run: processes by their environment, containers, volumes and
// networks by their label, folders by name, and last the note that the run existed.
import { rm } from 'node:fs/promises';
import { messageOf } from '../model/problem.ts';
import { nowMs } from '../model/time.ts';
import { within } from '../model/within.ts';
import { LASTING_LIMIT_MS } from './engine-limit.ts';
import { killAll, pidsWithEnvironment } from './processes.ts';
import { runFileOf } from './run-files.ts';
import type { Remains } from './run-files.ts';
import { silenceFileOf } from './silence.ts';

const PAUSE_MS = 100;
/** A guard has the time: the engine may be starting again, or still be making something. */
const UNHURRIED_MS = 1_000;
const LIMIT_MS = 60_000;
/** Somebody waits for a start: also the one pass that goes on when this is over is not waited for. */
const AWAITED_LIMIT_MS = 15_000;
const EMPTY_PASSES = 3;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const sweepProcesses = (runId: string): number => {
  const found = pidsWithEnvironment({ HANGUP_RUN: runId }).filter((pid) => pid !== process.pid);
  killAll(found);
  return found.length;
};

/** @returns the names of what the engine still had; loaded only when needed, since it is slow to load */
export const sweepContainers = async (runId: string): Promise<readonly string[]> => {
  const { connectEngine } = await import('./docker.ts');
  const { sweepEngine } = await import('./docker-sweep.ts');
  return sweepEngine(await connectEngine(), runId);
};

type Pass = { readonly found: readonly string[]; readonly why: string | null; readonly isAnswered: boolean };

const passEngine = (runId: string, limitMs: number): Promise<Pass> => {
  const late = (): never => {
    throw new Error('the engine is still at work on what is to be removed, or does not answer');
  };
  return within(sweepContainers(runId), limitMs, late).then(
    (found) => ({ found, why: found.length === 0 ? null : `${found.length} things are still there`, isAnswered: true }),
    (error: unknown) => ({ found: [], why: messageOf(error), isAnswered: false }),
  );
};

/**
 * Until two passes in a row were answered and found nothing, and then once more: the engine may still be at work on a request
 * that the harness sent just before it died. What it is known to be at work on is waited for. Where nobody waits, errors of one pass do
 * not end it.
 * @returns why that did not come to be
 */
const sweepFromEngine = async ({ runId, making = {} }: Remains, isAwaited: boolean): Promise<string | null> => {
  const beganMs = nowMs();
  const leftMs = (limitMs: number): number => beganMs + limitMs - nowMs();
  const unseen = new Map(Object.entries(making));
  for (let empty = 0; ;) {
    const processes = sweepProcesses(runId);
    const { found, why, isAnswered } = await passEngine(runId, isAwaited ? leftMs(AWAITED_LIMIT_MS) : LASTING_LIMIT_MS);
    for (const name of found) unseen.delete(name);
    empty = isAnswered && processes + found.length === 0 ? empty + 1 : 0;
    const due = leftMs(LASTING_LIMIT_MS) > 0 ? [...unseen].filter(([, untilMs]) => Date.now() < untilMs).map(([name]) => name) : [];
    const isEmpty = empty >= EMPTY_PASSES;
    if (isEmpty && due.length === 0) return null;
    if (isAwaited && isEmpty) return `${due.join(', ')} may still be being made`;
    if ((isAwaited && !isAnswered) || (!isEmpty && leftMs(isAwaited ? AWAITED_LIMIT_MS : LIMIT_MS) < 0)) return why;
    await pause(isAnswered && !isEmpty ? PAUSE_MS : UNHURRIED_MS);
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
  // What is here need not wait for the engine; what somebody of there has still written goes afterwards.
  await sweepHere(remains);
  const why = remains.engine ? await sweepFromEngine(remains, isAwaited) : null;
  if (remains.engine) await sweepHere(remains);
  if (why !== null) return why;
  for (const path of [silenceFileOf(remains.runId), runFileOf(remains.runId)]) await rm(path, { force: true });
  return null;
};
