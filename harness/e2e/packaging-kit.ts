// For the packaging test: the tree as git has it in a folder of its own, packed there and installed into an
// empty project; and the Node that the machine itself has, where that is an older one.
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..', '..');
const LIMIT_MS = 240_000;

/** What npm tells the scripts that it starts would tell another npm that it works elsewhere. */
const OF_NPM = /^(npm_(package_|lifecycle_|command|execpath|node_execpath|config_(local|global)_prefix)|INIT_CWD$)/;

const environment = (path: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_NPM.test(name))),
  PATH: path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1',
});

const folders = (process.env['PATH'] ?? '').split(delimiter);
const outside = folders.filter((folder) => !folder.includes('node_modules'));
/** This test's own Node first. */
const PATH = [dirname(process.execPath), ...outside].join(delimiter);

export type Answer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** @param path of the programs; this test's own Node comes first unless given */
export const answerOf = (program: string, words: readonly string[], cwd: string, path = PATH): Promise<Answer> =>
  new Promise((answer) => {
    const options = { cwd, env: environment(path), timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, words, options, (_, stdout, stderr) => answer({ code: child.exitCode, stdout, stderr }));
  });

/** @throws Error with all that it said, unless it ends with 0 */
const must = async (program: string, words: readonly string[], cwd: string): Promise<string> => {
  const { code, stdout, stderr } = await answerOf(program, words, cwd);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} in ${cwd} ended with ${code}:\n${stderr}\n${stdout}`);
  return stdout;
};

/** Files of the working tree that git has or would take. */
export const treeFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
    .split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));

export type Packed = { readonly tarball: string; readonly files: readonly string[] };

/** Packs a copy of the tree, as `npm pack` in a clone would. */
export const packTree = async (tree: string): Promise<Packed> => {
  for (const file of treeFiles()) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(tree, file));
  }
  const text = await must('npm', ['pack', '--json', '--loglevel', 'error'], tree);
  const [packed] = JSON.parse(text.slice(text.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  return { tarball: join(tree, packed!.filename), files: packed!.files.map(({ path }) => path) };
};

/** An empty project of somebody else's, under version control, with the package installed. */
export const installInto = async (project: string, tarball: string): Promise<void> => {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "their-project", "version": "1.0.0", "private": true }\n');
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', tarball], project);
  await must('git', ['init', '-q', '.'], project);
  await must('git', ['-c', 'user.name=they', '-c', 'user.email=they@example.org', 'commit', '-q', '--allow-empty', '-m', 'theirs'], project);
};

/** The folder of a Node older than 24 on this machine, to be put first on a path; null where there is none. */
export const olderNode = (): string | null =>
  outside.find((folder) => {
    if (!existsSync(join(folder, 'node'))) return false;
    return Number(execFileSync(join(folder, 'node'), ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]) < 24;
  }) ?? null;

/** The older one, and none that comes with a package. */
export const pathWithout24 = (older: string): string => [older, ...outside.filter((folder) => folder !== older)].join(delimiter);
