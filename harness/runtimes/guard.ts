// Clean-up that survives the harness. One small detached process a run holds a pipe to us; when
// that closes, however we ended, it removes whatever still carries the run's mark. A file beside
// it tells the next start which runs had a guard, should the guard itself have been killed.
import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { startTimeOf } from './processes.ts';
import { writeRunFile } from './run-files.ts';
import type { RunFile } from './run-files.ts';

export type Guard = {
  /** The folder will be removed with the run, unless it is forgotten before. Bundles are never named here. */
  readonly addFolder: (path: string) => { readonly forget: () => void };
  /** The run has begun to use the engine. */
  readonly useEngine: () => void;
};

const entry = join(import.meta.dirname, `guard-main${extname(import.meta.filename)}`);
const guards = new Map<string, Guard>();

/** The guard of a run; started at the first call. It and its pipe do not keep the harness running. */
export const guardOf = (runId: string): Guard => {
  const known = guards.get(runId);
  if (known) return known;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, runId], {
    detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/',
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  // The types do not say so, but the pipe is a socket of node:net.
  (child.stdin as unknown as { readonly unref: () => void }).unref();
  const folders = new Set<string>();
  let engine = false;
  const tell = (): void => {
    const file: RunFile = { runId, folders: [...folders], engine, pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0) };
    writeRunFile(file);
    child.stdin.write(`${JSON.stringify(file)}\n`);
  };
  const guard: Guard = {
    addFolder: (path) => {
      folders.add(path);
      tell();
      return { forget: () => void (folders.delete(path) && tell()) };
    },
    useEngine: () => {
      if (engine) return;
      engine = true;
      tell();
    },
  };
  guards.set(runId, guard);
  return guard;
};

export { sweepDead } from './sweep.ts';
