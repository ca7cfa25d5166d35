// Removes all that is left of one run: processes by their environment, containers, volumes and
// networks by their label, folders by name, and last the note that the run existed.
import { lstatSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import { killAll, pidsWithEnvironment } from './processes.ts';

/** What there may be of a run. */
export type Remains = {
  readonly runId: string;
  readonly folders: readonly string[];
  /** Whether it used the engine: else the engine is not even asked. */
  readonly engine: boolean;
};

/**
 * Where runs of this user are noted down. What stands there is removed by us, so it must be ours alone.
 * @throws ProblemError `foreign-folder` where somebody else made it
 */
export const runsFolder = (): string => {
  const { uid } = userInfo();
  const own = join(tmpdir(), `hangup-${uid}`);
  mkdirSync(join(own, 'runs'), { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = lstatSync(own);
  if (uid >= 0 && (owner !== uid || (mode & 0o022) !== 0)) {
    throw problem('environment', 'foreign-folder', `${own} belongs to somebody else, or others may write to it`, { hint: 'remove it, or set TMPDIR' });
  }
  return join(own, 'runs');
};

export const runFileOf = (runId: string): string => join(runsFolder(), `${runId}.json`);

const PAUSE_MS = 100;
const LIMIT_MS = 60_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

const sweepProcesses = (runId: string): number => {
  const found = pidsWithEnvironment({ HANGUP_RUN: runId }).filter((pid) => pid !== process.pid);
  killAll(found);
  return found.length;
};

/**
 * Sweeps until two passes in a row find nothing, then once more: the engine may still be at work on a request
 * that the harness sent just before it died. Errors of one pass do not end it.
 */
export const sweepRun = async (remains: Remains): Promise<void> => {
  const sweepEngine = remains.engine ? (await import('./docker-sweep.ts')).sweepEngine : async (): Promise<number> => 0;
  const untilMs = Date.now() + LIMIT_MS;
  for (let empty = 0; empty < 3 && Date.now() < untilMs;) {
    const processes = sweepProcesses(remains.runId);
    const others = await sweepEngine(remains.runId).catch(() => 1);
    empty = processes + others === 0 ? empty + 1 : 0;
    if (empty < 3 && remains.engine) await pause();
  }
  for (const folder of remains.folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  await rm(runFileOf(remains.runId), { force: true });
};
