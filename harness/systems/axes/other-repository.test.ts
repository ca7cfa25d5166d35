// Called from inside a repository of somebody's, whose git names it in the environment: what an axis asks and builds is of the repository
// of the card, and nothing of the other one is touched.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardWith } from '../fixture.ts';
import { REPOSITORY_VARIABLES } from '../git-environment.ts';
import { installPackages } from '../install.ts';
import { cardAt } from './card-at.ts';
import { ensureSource } from './source-tree.ts';
import { valuesBetween } from './values.ts';

const root = mkdtempSync(join(tmpdir(), 'hangup-other-repository-'));
const [theirs, mine, workTree] = [join(root, 'theirs'), join(root, 'mine'), join(root, 'mine-beside')];
const SOMEBODY = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false'];

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...SOMEBODY, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const commit = (folder: string, text: string): string => {
  writeFileSync(join(folder, 'proxy.txt'), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', text);
  return git(folder, 'rev-parse', 'HEAD');
};

/** What git gives to whatever it starts in this folder: hooks, `git bisect run`, aliases. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => {
  const printed = execFileSync('git', ['-C', folder, '-c', 'alias.variables=!env -0', '-c', 'http.extraHeader=X-Job: 7', 'variables'], { encoding: 'utf8' });
  return Object.fromEntries(printed.split('\0').filter(Boolean).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
};

/** Everything of a repository that a command in the wrong place would change. */
const stateOf = (folder: string): unknown => ({
  references: git(folder, 'for-each-ref'), head: git(folder, 'symbolic-ref', 'HEAD'), status: git(folder, 'status', '--porcelain'),
  settings: readFileSync(join(mine, '.git', 'config'), 'utf8'),
});

let commits: readonly string[] = [];
beforeAll(() => {
  execFileSync('git', ['init', '--quiet', '-b', 'main', theirs]);
  commits = ['one', 'two', 'three'].map((text) => commit(theirs, text));
  execFileSync('git', ['init', '--quiet', '-b', 'trunk', mine]);
  commit(mine, 'of mine');
  // Of `theirs` there is one of the same name; the others are none of theirs.
  for (const branch of ['main', 'work', 'beside']) git(mine, 'branch', branch);
  git(mine, 'remote', 'add', 'origin', theirs);
  git(mine, 'worktree', 'add', '--quiet', workTree, 'beside');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const card = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(theirs)}, use: main, build: [[sh, -c, "git rev-parse HEAD > built; git config http.extraHeader > header"]] }` });

test.each([
  ['nothing is in the cache yet', 'first', {}],
  ['the clone is in the cache', 'again', {}],
  ['the environment names an index, a folder of objects, settings and a push, too', 'more', {
    GIT_INDEX_FILE: join(mine, '.git', 'index'), GIT_OBJECT_DIRECTORY: join(mine, '.git', 'objects'), GIT_CONFIG: join(mine, '.git', 'config'),
    GIT_QUARANTINE_PATH: join(mine, '.git', 'objects'), GIT_WORK_TREE: mine,
  }],
])('from a linked work tree, where %s', async (_, name, more) => {
  const cache = join(root, name);
  const progress = (): void => {};
  if (name === 'again') {
    // By another command, from elsewhere.
    await valuesBetween(card, 'version', '', 'main', { environment: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(root, 'elsewhere') }, progress });
    cpSync(join(root, 'elsewhere'), cache, { recursive: true });
  }
  const environment = { ...environmentIn(workTree), ...more, XDG_CACHE_HOME: cache };
  expect(environment).toMatchObject({ GIT_DIR: join(mine, '.git', 'worktrees', 'mine-beside') });
  const before = [stateOf(mine), stateOf(workTree)];
  const found = await valuesBetween(card, 'version', '', 'main', { environment, progress }).catch(String);
  expect([stateOf(mine), stateOf(workTree)]).toEqual(before);
  expect(found).toEqual(commits.map((hash) => hash.slice(0, 12)));
  const tree = await ensureSource(cardAt(card, { version: commits[1]! }), { environment, progress });
  expect([tree!.commit, readFileSync(join(tree!.folder, 'proxy.txt'), 'utf8'), readFileSync(join(tree!.folder, 'built'), 'utf8').trim()]).toEqual([commits[1], 'two', commits[1]]);
  // What was given by `git -c` counts there as well: it is how a job gives its password.
  expect(readFileSync(join(tree!.folder, 'header'), 'utf8')).toBe('X-Job: 7\n');
  expect([stateOf(mine), stateOf(workTree)]).toEqual(before);
});

test('a package that npm has from a repository is of that one', async () => {
  writeFileSync(join(theirs, 'package.json'), JSON.stringify({ name: 'left', version: '7.0.0' }));
  git(theirs, 'add', 'package.json');
  git(theirs, 'commit', '--quiet', '-m', 'package');
  const wanted = git(theirs, 'rev-parse', 'HEAD');
  commit(theirs, 'later');
  const environment = { ...environmentIn(workTree), XDG_CACHE_HOME: join(root, 'packages'), npm_config_cache: join(root, 'npm'), npm_config_update_notifier: 'false' };
  const before = [stateOf(mine), stateOf(workTree)];
  const folder = await installPackages(cardWith({ install: `install: { npm: [ "git+file://${theirs}#${wanted}" ] }` }), () => {}, { environment }).catch(String);
  expect([stateOf(mine), stateOf(workTree)]).toEqual(before);
  expect(readFileSync(join(String(folder), 'node_modules', 'left', 'package.json'), 'utf8')).toContain('7.0.0');
});

test('every variable that this git knows to be of one repository is taken away, but those that hold settings', () => {
  const listed = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  expect(listed.filter((name) => !REPOSITORY_VARIABLES.includes(name))).toEqual(['GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT']);
});
