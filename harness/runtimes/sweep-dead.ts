// What runs left of which nobody lives any more, swept at the next start. Containers are asked of the engine that the run had
// used, which need not be the one that is found now: so a process of its own does it, in an environment that finds that one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { guardEnvironment } from './guard-environment.ts';
import { readRunFiles, runFileOf } from './run-files.ts';
import type { ReadRunFile, Remains } from './run-files.ts';
import { lifeOf } from './run-life.ts';
import { hasStayedSilent } from './silence.ts';
import { sweepHere, sweepRun } from './sweep.ts';

export const GUARD_ENTRY = join(import.meta.dirname, `guard-main${extname(import.meta.filename)}`);
export const GUARD_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** @returns why the engine may still have something of it */
const sweepByProcess = async ({ runId, engineAt }: Remains): Promise<string | null> => {
  const child = spawn(process.execPath, [...GUARD_FLAGS, GUARD_ENTRY, runId, 'awaited'], {
    stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', env: { ...guardEnvironment(), ...engineAt },
  });
  let why = '';
  child.stdout.on('data', (chunk: Buffer) => (why += chunk.toString('utf8')));
  const [code, signal] = (await once(child, 'close').catch((error: unknown) => [String(error), null])) as [unknown, unknown];
  if (why !== '') return why;
  return code === 0 ? null : `its sweeper ended with ${String(signal ?? code)}`;
};

const isDead = (file: ReadRunFile): boolean => {
  const life = lifeOf(file, file.touchedMs);
  return life === 'silent' ? hasStayedSilent(file.runId, file.touchedMs) : life === 'dead';
};

const engineOf = ({ engineAt }: Remains): string => JSON.stringify(engineAt ?? {});

/**
 * Removes what dead runs left.
 * @param tell is told, in one line for each engine, of which runs it may still have something
 * @returns the runs of which nothing is left
 */
export const sweepDead = async (tell: (line: string) => void = () => {}): Promise<readonly string[]> => {
  const swept: string[] = [];
  const kept = new Map<string, { readonly why: string; readonly runIds: string[] }>();
  for (const { touchedMs, ...file } of readRunFiles().filter(isDead)) {
    const silent = file.engine ? kept.get(engineOf(file)) : undefined;
    if (silent) {
      silent.runIds.push(file.runId);
      await sweepHere(file);
      continue;
    }
    const why = file.engine ? await sweepByProcess(file) : await sweepRun(file);
    if (why === null) swept.push(file.runId);
    else kept.set(engineOf(file), { why, runIds: [file.runId] });
  }
  for (const { why, runIds } of kept.values()) {
    const notes = runIds.map(runFileOf).join(' ');
    tell(`containers of runs that were killed may still be there: ${why}; the next start tries again (to forget them: rm ${notes})`);
  }
  return swept;
};
