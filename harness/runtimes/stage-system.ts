// The system under test as a plain process in the stage: its own session, its output straight in a
// file (a pipe could fill or break and change what is judged), its end stamped where it is reaped.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Actor } from '../model/actor.ts';
import { exitOf } from './exit.ts';
import { isZombie } from './processes.ts';

export type StartSystem = {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Appended to: a restart goes on in the same file. */
  readonly log: string;
};

export type StageSystems = {
  /** @throws Error with the system's code (`ENOENT`) when the command cannot be started */
  readonly start: (plan: StartSystem) => Promise<{ readonly pid: number }>;
  /** @returns whether there was still somebody to hear it */
  readonly signal: (name: string, signal: string) => boolean;
  readonly pids: () => readonly number[];
};

export const createStageSystems = (actor: Actor): StageSystems => {
  const running = new Map<string, ChildProcess>();

  const start: StageSystems['start'] = async ({ name, command, env, cwd, log }) => {
    if (running.has(name)) throw new Error(`${name} is already running`);
    const [program = '', ...rest] = command;
    const output = openSync(log, 'a');
    try {
      const child = spawn(program === 'node' ? process.execPath : program, rest, {
        cwd, env, detached: true, stdio: ['ignore', output, output],
      });
      child.on('exit', (code, signal) => {
        running.delete(name);
        actor.emit('system', { type: 'process-exited', process: name, ...exitOf(code, signal) });
      });
      running.set(name, child);
      await once(child, 'spawn').catch((error: unknown) => {
        running.delete(name);
        throw error;
      });
      return { pid: child.pid! };
    } finally {
      closeSync(output);
    }
  };

  const signal: StageSystems['signal'] = (name, sent) => {
    const child = running.get(name);
    // What waits to be reaped takes every signal: its end was before this.
    if (!child || isZombie(child.pid!)) return false;
    // Not child.kill: that one says false for a signal nobody knows as well as for a process that has ended.
    try {
      return process.kill(child.pid!, sent);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
      throw error;
    }
  };

  return { start, signal, pids: () => [...running.values()].map((child) => child.pid!) };
};
