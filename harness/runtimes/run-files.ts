// The notes of what runs own, one file a run, by which a later start finds what nobody cleans up.
import { lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problem } from '../model/problem.ts';
import type { Owners } from './run-life.ts';

/** What there may be of a run. Bundles are never among its folders. */
export type Remains = {
  readonly runId: string;
  readonly folders: readonly string[];
  /** Whether it used the engine: else the engine is not even asked. */
  readonly engine: boolean;
  /** How that engine is found: a later start may find another one by itself. */
  readonly engineAt?: Readonly<Record<string, string>>;
  /** What the engine was asked to make and has not answered yet, by name: until when it may come to be, of the wall clock. */
  readonly making?: Readonly<Record<string, number>>;
};

/** The pid is the guard's. */
export type RunFile = Remains & Owners;

/** Asked of the kernel: in a container a user need not be in its list of users. */
const ownUid = (): number => process.getuid?.() ?? -1;

/**
 * Where runs of this user are noted down. What stands there is removed by us, so it must be ours alone.
 * @throws ProblemError `foreign-folder` where somebody else made it
 */
export const runsFolder = (): string => {
  const uid = ownUid();
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

/** Says that its run lives, to those who cannot look at its processes. */
export const touchRunFile = (runId: string): void => {
  try {
    const now = new Date();
    utimesSync(runFileOf(runId), now, now);
  } catch {
    // Removed already, or not written yet.
  }
};

export type ReadRunFile = RunFile & { /** When it was last written or touched. */ readonly touchedMs: number };

const readPath = (path: string): ReadRunFile | null => {
  try {
    return { ...(JSON.parse(readFileSync(path, 'utf8')) as RunFile), touchedMs: statSync(path).mtimeMs };
  } catch {
    // Removed in between by the guard whose file it was.
    return null;
  }
};

/** @returns null where it is not noted down, or no longer */
export const readRunFile = (runId: string): ReadRunFile | null => readPath(runFileOf(runId));

/** All runs that are noted down. */
export const readRunFiles = (): readonly ReadRunFile[] =>
  readdirSync(runsFolder())
    .filter((name) => name.endsWith('.json'))
    .map((name) => readPath(join(runsFolder(), name)))
    .filter((file) => file !== null);
