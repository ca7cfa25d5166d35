// The notes of what runs own, one file a run, by which a later start finds what nobody cleans up.
import { lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';

/** What there may be of a run. Bundles are never among its folders. */
export type Remains = {
  readonly runId: string;
  readonly folders: readonly string[];
  /** Whether it used the engine: else the engine is not even asked. */
  readonly engine: boolean;
};

/** With its start time the guard's pid names one process for good. */
export type RunFile = Remains & { readonly pid: number; readonly startTime: string | null };

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
    const message = `${own} belongs to somebody else, or others may write to it`;
    throw problem('environment', 'foreign-folder', message, { hint: 'remove it, or set TMPDIR' });
  }
  return join(own, 'runs');
};

export const runFileOf = (runId: string): string => join(runsFolder(), `${runId}.json`);

/** Replaced as a whole, so that nobody ever reads half of it. */
export const writeRunFile = (file: RunFile): void => {
  const path = runFileOf(file.runId);
  writeFileSync(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

const readRunFile = (path: string): RunFile | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunFile;
  } catch {
    // Removed in between by the guard whose file it was.
    return null;
  }
};

/** All runs that are noted down. */
export const readRunFiles = (): readonly RunFile[] =>
  readdirSync(runsFolder())
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRunFile(join(runsFolder(), name)))
    .filter((file) => file !== null);
