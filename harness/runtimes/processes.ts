// Reading /proc: who is alive, since when, and who carries a run's mark in its environment.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

/** Fields of /proc/<pid>/stat after the command's name, which may itself hold spaces and brackets. */
const statOf = (pid: number): readonly string[] | null => {
  const text = read(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** False for zombies: nobody may have reaped them, but nothing of them runs. */
export const isAlive = (pid: number): boolean => {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
};

/** It has ended and nobody has reaped it yet. A first thread that has ended before the others looks like that too, but is not alone. */
export const isZombie = (pid: number): boolean => {
  try {
    return statOf(pid)?.[0] === 'Z' && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return false;
  }
};

/** Start time in clock ticks since boot: with the pid it names a process for good. Null: gone. */
export const startTimeOf = (pid: number): string | null => statOf(pid)?.[19] ?? null;

/** Every process that this /proc shows and that is not a zombie; none where there is no /proc. */
export const livePids = (): readonly number[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).filter((name) => /^\d+$/.test(name)).map(Number).filter(isAlive);

/** Live processes whose first environment held all of these. Those of other users cannot be read. */
export const pidsWithEnvironment = (wanted: Readonly<Record<string, string>>): readonly number[] => {
  const pairs = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return livePids().filter((pid) => {
    const environment = read(`/proc/${pid}/environ`)?.split('\0') ?? [];
    return pairs.every((pair) => environment.includes(pair));
  });
};

/** SIGKILL to each; one that has ended meanwhile is fine. */
export const killAll = (pids: readonly number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended between being listed and now.
    }
  }
};
