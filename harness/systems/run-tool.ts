// Runs a program of the machine's that is asked for something or installs it: in no repository of whoever called, said where it takes
// its time, and ended where it takes too long, which is told as that.
import { execFile } from 'node:child_process';
import { formatMs } from '../model/time.ts';
import { childrenOf } from '../probes/process-tree.ts';
import { diesWithUs } from '../runtimes/prepare-life.ts';
import { withoutRepository } from './git-environment.ts';
import { withPlainSettings } from './install-settings.ts';

/** For what is fetched, installed or built as a whole: ended half way it would begin from nothing the next time, and never be had. */
export const LONG_MS = 30 * 60_000;
/** What is over sooner nobody has begun to wonder about. */
const QUIET_MS = 2_000;

export type ToolOptions = {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limitMs: number;
  /** More is an error. */
  readonly outputBytes: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** What is being done, in words: `fetching proxy`. Default: the program's name. */
  readonly about?: string;
  /** Told that, once, where it takes longer than two seconds. */
  readonly progress?: (line: string) => void;
};

/** It and all that it has started: `git submodule` leaves its work to others, who would go on without it. */
const treeOf = (pid: number): readonly number[] => [pid, ...(childrenOf('/proc', pid) ?? []).flatMap(treeOf)];

const endTree = (pid: number | undefined): void => {
  for (const one of pid === undefined ? [] : treeOf(pid)) {
    try {
      process.kill(one, 'SIGTERM');
    } catch {
      // Ended between being listed and now.
    }
  }
};

/** Whether it was ended as its time was over. */
export const isLate = (cause: unknown): boolean => cause instanceof Error && 'killed' in cause && cause.killed === true;

/** `killed` is Node's word for it, by which it is known here and where somebody looks for whose fault it is. */
const late = (about: string, limitMs: number, cause: unknown): Error =>
  Object.assign(new Error(`${about} took longer than ${formatMs(limitMs)} and was ended`, { cause }), { killed: true });

/** In the group of whoever calls, not in one of its own: git and ssh ask for passwords at the terminal. */
const run = (program: string, words: readonly string[], { cwd, environment, limitMs, outputBytes, signal, about = program }: ToolOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: withPlainSettings(withoutRepository(environment)), maxBuffer: outputBytes };
    // What is ended at once leaves its locks: git could not work in that clone again.
    const before = diesWithUs('TERM', program, options);
    const [first, ...all] = [...before, program, ...words];
    let isOver = false;
    const child = execFile(first!, all, options, (error, stdout, stderr) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (error === null) return resolve(stdout);
      const message = error.signal ? `${program} was ended by ${error.signal}` : error.message.replace([...before, ''].join(' '), '');
      const cause = Object.assign(error, { stdout, stderr, message });
      reject(isOver ? late(about, limitMs, cause) : signal?.aborted ? signal.reason : cause);
    });
    const end = (): void => {
      // Nobody is waited for who still holds the other end.
      child.stdout?.destroy();
      child.stderr?.destroy();
      // One that has ended has a number that may be another's by now.
      if (child.exitCode === null && child.signalCode === null) endTree(child.pid);
    };
    const timer = setTimeout(() => {
      isOver = true;
      end();
    }, limitMs);
    signal?.addEventListener('abort', end, { once: true });
  });

/**
 * What the program printed.
 * @throws what `execFile` throws, with `stdout` and `stderr`; where it took too long an error that says so, of which that is the cause; the signal's reason
 */
export const runTool = async (program: string, words: readonly string[], options: ToolOptions): Promise<string> => {
  const { signal, about = program, progress } = options;
  signal?.throwIfAborted();
  const timer = progress && setTimeout(() => progress(about), QUIET_MS);
  try {
    return await run(program, words, options);
  } finally {
    clearTimeout(timer);
  }
};
