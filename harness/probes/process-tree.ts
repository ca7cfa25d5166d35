// One process of /proc, read file by file. Whatever vanishes between two reads is simply gone: a
// process that ends while it is looked at is the normal case here and never an error.
import { readFileSync, readdirSync } from 'node:fs';

export type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  /** Letter of the kernel: `Z` has ended and waits for its parent, `X` is about to be gone. */
  readonly state: string;
  /** Clock ticks since boot; with the pid it names one process for ever. */
  readonly startedAt: string;
};

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');

const orWhenGone = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch (error) {
    if (isGone(error)) return otherwise;
    throw error;
  }
};

const numbersIn = (folder: string): readonly number[] =>
  orWhenGone(() => readdirSync(folder).filter((name) => /^\d+$/.test(name)).map(Number), []);

/** @returns undefined when there is no such process */
export const readEntry = (root: string, pid: number): ProcessEntry | undefined =>
  orWhenGone(() => {
    const text = readFileSync(`${root}/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses itself: fields count from the last one.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), state: fields[0]!, startedAt: fields[19]! };
  }, undefined);

export const isLive = (entry: ProcessEntry | undefined): entry is ProcessEntry =>
  entry !== undefined && entry.state !== 'Z' && entry.state !== 'X';

export const allPids = (root: string): readonly number[] => numbersIn(`${root}`);

export const threadsOf = (root: string, pid: number): readonly number[] => numbersIn(`${root}/${pid}/task`);

/**
 * Children of every thread, or undefined where the kernel was built without that file.
 * @see proc_pid_task(5), CONFIG_PROC_CHILDREN
 */
export const childrenOf = (root: string, pid: number): readonly number[] | undefined => {
  const found: number[] = [];
  for (const thread of threadsOf(root, pid)) {
    const text = orWhenGone(() => readFileSync(`${root}/${pid}/task/${thread}/children`, 'latin1'), undefined);
    if (text === undefined) return undefined;
    found.push(...text.split(' ').filter(Boolean).map(Number));
  }
  return found;
};

/** Resident bytes; 0 for a process that has given its memory back. */
export const residentBytes = (root: string, pid: number): number =>
  orWhenGone(() => {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${root}/${pid}/status`, 'latin1'));
    return match ? Number(match[1]) * 1024 : 0;
  }, 0);

/** Cumulative time that a thread was ready and not run, ms; undefined where the kernel does not count. */
export const runDelayMs = (root: string, pid: number, thread: number): number | undefined =>
  orWhenGone(() => {
    const field = readFileSync(`${root}/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[1];
    return field === undefined ? undefined : Math.round(Number(field) / 1e3) / 1e3;
  }, undefined);

/** True when the thread waits for something else than a processor, or is stopped; false when it is ready, runs, or has gone. */
export const isAsleep = (root: string, pid: number, thread: number): boolean =>
  orWhenGone(() => {
    const stat = readFileSync(`${root}/${pid}/task/${thread}/stat`, 'latin1');
    // The name before the state may hold anything, parentheses too.
    return /^[SDITt]$/.test(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
  }, false);
