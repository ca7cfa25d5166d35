// A real repository with a straight history, and the real `git bisect run` on it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withoutRepository } from '../../systems/git-environment.ts';
import type { Bisected, KOfN } from './k-of-n.ts';
import type { Trial } from './trial.ts';

const execute = promisify(execFile);
const ENVIRONMENT = {
  ...withoutRepository(process.env), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'bench', GIT_AUTHOR_EMAIL: 'bench@localhost', GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@localhost',
};

export type Repository = AsyncDisposable & {
  readonly folder: string;
  /** By version. */
  readonly commits: readonly string[];
  readonly git: (...args: readonly string[]) => Promise<string>;
};

/** One commit a version; the file `version` holds its number. */
const historyOf = (versions: number): string =>
  Array.from({ length: versions }, (_, version) => {
    const message = `version ${version}`;
    return `commit refs/heads/main\ncommitter bench <bench@localhost> ${1_700_000_000 + version} +0000\ndata ${message.length}\n${message}\n` +
      `M 100644 inline version\ndata ${String(version).length}\n${version}\n\n`;
  }).join('');

/** @throws Error when there is no git */
export const createRepository = async (versions: number): Promise<Repository> => {
  const folder = await mkdtemp(join(tmpdir(), 'hangup-bisect-'));
  const git: Repository['git'] = async (...args) => (await execute('git', [...args], { cwd: folder, env: ENVIRONMENT, maxBuffer: 2 ** 26 })).stdout;
  await git('init', '--quiet', '--initial-branch=main');
  const importing = execute('git', ['fast-import', '--quiet'], { cwd: folder, env: ENVIRONMENT });
  importing.child.stdin!.end(historyOf(versions));
  await importing;
  await git('reset', '--quiet', '--hard', 'main');
  const commits = (await git('rev-list', '--reverse', 'main')).trim().split('\n');
  return { folder, commits, git, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
};

/** The script that a version is judged by: writes down what it did, into a file that belongs to no version. */
export const scriptOf = (trial: Trial, kOfN: KOfN, log: string): readonly string[] => [
  process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'judge-main.ts'), JSON.stringify({ trial, kOfN, log }),
];

export type Line = { readonly version: number; readonly isBad: boolean; readonly runs: number };

export const readLog = async (log: string): Promise<readonly Line[]> =>
  (await readFile(log, 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as Line);

/** What the real git came to, and by which way. */
export const bisectWithGit = async ({ folder, commits, git }: Repository, trial: Trial, kOfN: KOfN): Promise<Bisected> => {
  const log = join(folder, '.git', `log-${trial.number}`);
  await rm(log, { force: true });
  await git('bisect', 'start', commits.at(-1)!, commits[0]!);
  await git('bisect', 'run', ...scriptOf(trial, kOfN, log));
  const culprit = commits.indexOf((await git('rev-parse', 'refs/bisect/bad')).trim());
  await git('bisect', 'reset');
  const lines = await readLog(log);
  const decided = lines.reduce((sum, { runs }) => sum + runs, 0);
  return { culprit, versions: lines.map(({ version }) => version), runs: { decided, all: lines.length * kOfN.n } };
};
