// PyPI git-bayesect: its library for many trials, its command line on a real repository for one, which must
// have asked for the same versions.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Repository } from './git.ts';
import { readLog, scriptOf } from './git.ts';
import type { Tally, Trial } from './trial.ts';
import { tallyOf } from './trial.ts';

const PACKAGE = 'git-bayesect==1.2';
const execute = promisify(execFile);

const imports = async (python: string): Promise<boolean> =>
  execute(python, ['-c', 'import git_bayesect, numpy, scipy']).then(() => true, () => false);

/** @returns a Python that has it: the one named by BAYESECT_PYTHON, the machine's, or a new one @throws Error when it cannot be had */
export const pythonWithBayesect = async (): Promise<string> => {
  for (const python of [process.env.BAYESECT_PYTHON, 'python3']) if (python !== undefined && (await imports(python))) return python;
  const folder = await mkdtemp(join(tmpdir(), 'hangup-bayesect-'));
  await execute('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin', 'python');
  if (!existsSync(python)) throw new Error(`there is no ${python}`);
  await execute(python, ['-m', 'pip', 'install', '--quiet', PACKAGE]);
  return python;
};

const ask = async (python: string, document: object): Promise<unknown> => {
  const running = execute(python, [join(import.meta.dirname, 'bayesect.py')], { maxBuffer: 2 ** 26 });
  running.child.stdin!.end(JSON.stringify(document));
  return JSON.parse((await running).stdout);
};

export const bayesect = async (python: string, { rate, versions, seed }: Trial, trials: number, confidence: number): Promise<Tally> =>
  tallyOf((await ask(python, { versions, rate, confidence, trials, seed })) as { readonly isRight: boolean; readonly runs: number }[]);

/** @returns what the command line came to @throws Error when the library would have asked for other versions */
export const bayesectCommand = async (python: string, { folder, commits }: Repository, trial: Trial, confidence: number): Promise<{ readonly culprit: number; readonly runs: number }> => {
  const log = join(folder, '.git', `bayesect-${trial.number}`);
  const main = async (...args: readonly string[]): Promise<unknown> =>
    execute(python, ['-c', 'import git_bayesect; git_bayesect.main()', ...args], { cwd: folder, maxBuffer: 2 ** 26 });
  await main('start', '--old', commits[0]!, '--new', commits.at(-1)!);
  await main('run', '--confidence', String(confidence), ...scriptOf(trial, { k: 1, n: 1 }, log));
  await main('reset');
  const lines = await readLog(log);
  return (await ask(python, { versions: trial.versions, rate: trial.rate, confidence, replay: lines })) as { readonly culprit: number; readonly runs: number };
};
