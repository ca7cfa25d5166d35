// The environment that a system is given: nothing of the user's but the path, every folder it may
// write to inside the stage, and telemetry off.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from './home-folder.ts';

/** By these a run's processes are found again, whoever their parent is by then. */
export const marksOf = (runId: string, stageId: string): Readonly<Record<string, string>> => ({
  HANGUP_RUN: runId,
  HANGUP_STAGE: stageId,
});

/** Read by many tools; what does not know them is not harmed. */
export const QUIET: Readonly<Record<string, string>> = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  ANONYMIZED_TELEMETRY: 'false',
};

const FOLDERS: Readonly<Record<string, string>> = {
  HOME: 'home',
  XDG_CONFIG_HOME: 'home/.config',
  XDG_CACHE_HOME: 'home/.cache',
  XDG_DATA_HOME: 'home/.local/share',
  XDG_STATE_HOME: 'home/.local/state',
  XDG_RUNTIME_DIR: 'run',
  TMPDIR: 'tmp',
};

/** The search path, with the Node that runs us first, so that scripts of a system run on it too. */
export const searchPath = (): string =>
  `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

/** What stage host and actors run in. Compiled sources are kept: that makes starting them four times as cheap. */
export const actorEnvironment = (runId: string, stageId: string): Readonly<Record<string, string>> => ({
  PATH: searchPath(),
  LANG: 'C.UTF-8',
  NODE_COMPILE_CACHE: join(cacheFolder(process.env), 'compiled'),
  ...marksOf(runId, stageId),
});

/** Makes the folders and names them in the environment of a plain process. */
export const systemEnvironment = (folder: string): Readonly<Record<string, string>> => {
  const folders = Object.entries(FOLDERS).map(([name, below]) => {
    const path = join(folder, below);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return [name, path];
  });
  return { PATH: searchPath(), LANG: 'C.UTF-8', ...QUIET, ...Object.fromEntries(folders) };
};
