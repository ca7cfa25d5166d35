// Removes all that is left of one run: processes by their environment, containers, volumes and
// networks by their label, folders by name, and last the note that the run existed.
import { rm } from 'node:fs/promises';
import { isAlive, killAll, pidsWithEnvironment, startTimeOf } from './processes.ts';
import { readRunFiles, runFileOf } from './run-files.ts';
import type { Remains } from './run-files.ts';

const PAUSE_MS = 100;
const LIMIT_MS = 60_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

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

/**
 * Sweeps until two passes in a row find nothing, then once more: the engine may still be at work on a request
 * that the harness sent just before it died. Errors of one pass do not end it.
 */
export const sweepRun = async (remains: Remains): Promise<void> => {
  const untilMs = Date.now() + LIMIT_MS;
  for (let empty = 0; empty < 3 && Date.now() < untilMs;) {
    const processes = sweepProcesses(remains.runId);
    const others = remains.engine ? await sweepContainers(remains.runId).catch(() => 1) : 0;
    empty = processes + others === 0 ? empty + 1 : 0;
    if (empty < 3 && remains.engine) await pause();
  }
  for (const folder of remains.folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  await rm(runFileOf(remains.runId), { force: true });
};

/**
 * Removes what runs left whose guard is dead.
 * @returns the runs that were swept
 */
export const sweepDead = async (): Promise<readonly string[]> => {
  const dead = readRunFiles().filter((file) => !(isAlive(file.pid) && startTimeOf(file.pid) === file.startTime));
  for (const file of dead) await sweepRun(file);
  return dead.map((file) => file.runId);
};
