// Clean-up that survives the harness. One small detached process a run holds a pipe to us; when
// that closes, however we ended, it removes whatever still carries the run's mark. A file beside
// it tells the next start which runs had a guard, should the guard itself have been killed too.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Engine } from './docker.ts';
import { engineEnvironment, guardEnvironment } from './guard-environment.ts';
import { touchRunFile, writeRunFile } from './run-files.ts';
import type { RunFile } from './run-files.ts';
import { BEAT_MS, namedBy, placeHere } from './run-life.ts';
import { GUARD_ENTRY, GUARD_FLAGS } from './sweep-dead.ts';

export type Guard = {
  /** The folder will be removed with the run, unless it is forgotten before. Bundles are never named here. */
  readonly addFolder: (path: string) => { readonly forget: () => void };
  /** The run has begun to use this engine. */
  readonly useEngine: (engine: Engine) => void;
  /**
   * The engine is asked for something of this name, and may make it within this time whatever becomes of the run.
   * @returns to be called when it is known what became of it
   */
  readonly making: (name: string, limitMs: number) => () => void;
};

const guards = new Map<string, Guard>();

/** The guard of a run; started at the first call. It and its pipe do not keep the harness running. */
export const guardOf = (runId: string): Guard => {
  const known = guards.get(runId);
  if (known) return known;
  const child = spawn(process.execPath, [...GUARD_FLAGS, GUARD_ENTRY, runId], {
    detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: guardEnvironment(),
  });
  // Without a guard the run goes on: who starts next sweeps it, since the harness is named in the note too.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  // The types do not say so, but the pipe is a socket of node:net.
  (child.stdin as unknown as { readonly unref: () => void }).unref();
  setInterval(() => touchRunFile(runId), BEAT_MS).unref();
  const owners = { ...namedBy(child.pid ?? 0), harness: namedBy(process.pid), place: placeHere() };
  const folders = new Set<string>();
  let engineAt: RunFile['engineAt'];
  const making = new Map<string, number>();
  const tell = (): void => {
    const file: RunFile = { runId, folders: [...folders], engine: engineAt !== undefined, ...(engineAt ? { engineAt } : {}), making: Object.fromEntries(making), ...owners };
    writeRunFile(file);
    child.stdin.write(`${JSON.stringify(file)}\n`);
  };
  const guard: Guard = {
    addFolder: (path) => {
      // The guard stands elsewhere.
      const folder = resolve(path);
      folders.add(folder);
      tell();
      return { forget: () => void (folders.delete(folder) && tell()) };
    },
    useEngine: (engine) => {
      if (engineAt) return;
      engineAt = engineEnvironment(engine);
      tell();
    },
    making: (name, limitMs) => {
      making.set(name, Date.now() + limitMs);
      tell();
      return () => void (making.delete(name) && tell());
    },
  };
  guards.set(runId, guard);
  return guard;
};
