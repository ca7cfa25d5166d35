// A wrong wall clock for one process: libfaketime, where this machine has it. It shifts what Date and
// databases read, and leaves the monotonic clock, and so all timers and limits, as they are.
import { spawnSync } from 'node:child_process';
import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Its name in a stage's folder. */
export const FAKE_TIME_FILE = 'libfaketime.so.1';

export type FakeTime =
  | { readonly library: string; readonly why: null; readonly hint: null }
  | { readonly library: null; readonly why: string; readonly hint: string };

/** The one for programs with threads first: Node is one. */
const NAMES = ['libfaketimeMT.so.1', 'libfaketime.so.1'];
const ROOTS = ['/usr/lib', '/usr/lib64', '/usr/local/lib'];
const HINT = 'apt-get install libfaketime';
const TRY_LIMIT_MS = 5_000;
const TRIED_MS = 86_400_000;

/** `/usr/lib/faketime/...`, and Debian's `/usr/lib/x86_64-linux-gnu/faketime/...`, whatever the processor is called there. */
const candidates = (): readonly string[] =>
  ROOTS.flatMap((root) => {
    const below = existsSync(root) ? readdirSync(root).filter((name) => name.includes('-linux-')) : [];
    return [root, ...below.map((name) => join(root, name))];
  })
    .flatMap((folder) => NAMES.map((name) => join(folder, 'faketime', name)))
    .filter((path) => existsSync(path));

/**
 * The environment in which a program's wall clock is that far ahead, or behind where it is negative.
 * @param library as the program finds it
 * @see https://github.com/wolfcw/libfaketime: a bare number is in seconds
 */
export const fakeTimeEnvironment = (library: string, aheadMs: number): Record<string, string> => ({
  LD_PRELOAD: library,
  FAKETIME: `${aheadMs < 0 ? '-' : '+'}${Math.abs(aheadMs) / 1_000}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  // The times of files stay true: they belong to everybody in the stage.
  NO_FAKE_STAT: '1',
});

/** Tried on the Node that runs us: a library of another processor is only complained about. */
const works = (library: string): boolean => {
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], {
    encoding: 'utf8', timeout: TRY_LIMIT_MS, env: fakeTimeEnvironment(library, TRIED_MS), stdio: ['ignore', 'pipe', 'ignore'],
  });
  return Math.abs(Number(stdout) - Date.now() - TRIED_MS) < TRIED_MS / 2;
};

const find = (): FakeTime => {
  const there = candidates();
  const library = there.find(works);
  if (library !== undefined) return { library, why: null, hint: null };
  const why = there.length === 0 ? 'libfaketime is not installed' : `${there.join(', ')} does not change the clock of ${process.execPath}`;
  return { library: null, why, hint: HINT };
};

let found: FakeTime | undefined;

/** Looked for once, when a scenario first wants it. */
export const findFakeTime = (): FakeTime => (found ??= find());
