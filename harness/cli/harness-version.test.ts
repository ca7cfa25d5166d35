// Which hangup ran is asked of its own folder, wherever it is called from.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { harnessVersion } from './harness-version.ts';

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

test('called by git from a linked work tree of another repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [theirs, workTree] = [join(folder, 'theirs'), join(folder, 'beside')];
  execFileSync('git', ['init', '--quiet', theirs]);
  git(theirs, 'commit', '--quiet', '--allow-empty', '-m', 'theirs');
  git(theirs, 'worktree', 'add', '--quiet', workTree);
  const own = harnessVersion();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('GIT_DIR', git(workTree, 'rev-parse', '--absolute-git-dir'));
  const named = harnessVersion();
  expect(named.commit).not.toBe(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim());
  expect(named).toEqual(own);
});
