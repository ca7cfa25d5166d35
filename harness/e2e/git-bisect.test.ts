// Git's own search, driven by `hangup run --git-bisect`, over a small repository in which one commit makes a proxy leak, one before it
// does not start, and one shows another fault.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bisectRepository } from './fixtures/bisect-repository.ts';
import type { BisectRepository } from './fixtures/bisect-repository.ts';
import { ROOT, temporaryFolder } from './test-kit.ts';

let folder: string;
let repository: BisectRepository;

beforeAll(() => {
  folder = temporaryFolder(true);
  repository = bisectRepository(join(folder, 'proxy'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

test('git bisect run names the commit that leaks, and passes over what cannot be judged', () => {
  const { path, git, commits } = repository;
  for (const name of ['leak.yaml', 'card.yaml']) copyFileSync(join(path, name), join(folder, name));
  writeFileSync(join(folder, 'card.yaml'), readFileSync(join(path, 'card.yaml'), 'utf8').replace('${card}', path));
  git('bisect', 'start', commits.at(-1)!, commits[0]!);
  const words = [process.execPath, join(ROOT, 'harness', 'hangup.mjs'), 'run', join(folder, 'leak.yaml'), '--runtime', 'process'];
  const said = execFileSync('git', ['bisect', 'run', ...words, '--git-bisect', '--symptom', 'upstream-closed', '--evidence', 'none'], {
    cwd: path, encoding: 'utf8', env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(said).toContain(`${commits[repository.leaksAt]} is the first bad commit`);
  expect(git('bisect', 'log')).toContain('# skip:');
}, 240_000);

/** Two probes: the second finds the clone of the first in the cache, and may fetch into nothing else. */
test('in a linked work tree, with a card whose versions are of another repository: that one is asked, and no branch of the first is touched', () => {
  const there = join(folder, 'linked');
  const mine = bisectRepository(join(there, 'mine'));
  const theirs = bisectRepository(join(there, 'theirs'), ['nothing', 'nothing, again']);
  const workTree = join(there, 'beside');
  for (const branch of ['work', 'kept']) mine.git('branch', branch);
  // What is checked out git itself does not fetch into.
  mine.git('switch', '-q', '-c', 'trunk');
  mine.git('worktree', 'add', '-q', '--detach', workTree);
  const card = readFileSync(join(mine.path, 'card.yaml'), 'utf8')
    .replace('command: [node, "${card}/proxy.mjs"]', `command: [node, "${workTree}/proxy.mjs", "\${source}"]`)
    .replace('version: 1\n', 'version: 1\nversions: { from: git, repository: ./theirs, use: main, build: [[sh, -c, "git rev-parse HEAD > built"]] }\n');
  writeFileSync(join(there, 'card.yaml'), card);
  copyFileSync(join(mine.path, 'leak.yaml'), join(there, 'leak.yaml'));
  const branches = (): string => mine.git('for-each-ref', 'refs/heads', 'refs/tags');
  const before = branches();
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: workTree, encoding: 'utf8', env: { ...process.env, TMPDIR: folder, XDG_CACHE_HOME: join(there, 'cache') }, stdio: ['ignore', 'pipe', 'pipe'] });
  const { commits, leaksAt } = mine;
  git('bisect', 'start', commits[leaksAt + 1]!, commits[leaksAt - 3]!);
  const words = [process.execPath, join(ROOT, 'harness', 'hangup.mjs'), 'run', join(there, 'leak.yaml'), '--runtime', 'process', '--output', join(there, 'evidence')];
  // So that it is known what git has said to what it started.
  const said = git('bisect', 'run', 'sh', '-c', 'echo "GIT_DIR is $GIT_DIR"; exec "$@"', 'sh', ...words, '--git-bisect', '--symptom', 'upstream-closed');
  expect(branches()).toBe(before);
  expect(said).toContain(`GIT_DIR is ${join(mine.path, '.git', 'worktrees', 'beside')}`);
  expect(said).toContain(`${commits[leaksAt]} is the first bad commit`);
  const files = readdirSync(there, { recursive: true }).map(String);
  const built = files.filter((file) => file.startsWith('cache/') && file.endsWith('/tree/built')).map((file) => readFileSync(join(there, file), 'utf8').trim());
  expect(built).toEqual([theirs.commits[1]]);
  const harness = files.filter((file) => file.startsWith('evidence/') && file.endsWith('/manifest.json'))
    .map((file) => (JSON.parse(readFileSync(join(there, file), 'utf8')) as { readonly harness: { readonly commit: string | null } }).harness.commit);
  expect(harness.length).toBeGreaterThan(1);
  expect(harness.filter((commit) => commits.includes(String(commit)))).toEqual([]);
}, 240_000);
