// The clone of a repository in the cache: what it knows after the repository has changed, whatever that stands at, and while another
// hangup brings the same clone up to date.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Card } from '../card.ts';
import { cardWith } from '../fixture.ts';

/** A repository, and the axis as one command after another sees it: what a command knows it asks once. */
const prepared = () => {
  const root = mkdtempSync(join(tmpdir(), 'hangup-mirror-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const repository = join(root, 'repository');
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  const commit = (text: string): string => {
    git('commit', '--quiet', '--allow-empty', '-m', text);
    return git('rev-parse', 'HEAD');
  };
  const environment = { ...process.env, XDG_CACHE_HOME: join(root, 'cache') };
  const context = { environment, progress: () => {} };
  const card = (more = ''): Card => cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: main${more} }` });
  const nextCommand = async () => {
    vi.resetModules();
    return import('./values.ts');
  };
  const mirror = (): string => join(root, 'cache', 'hangup', 'repositories', readdirSync(join(root, 'cache', 'hangup', 'repositories'))[0]!);
  return { root, git, commit, card, context, nextCommand, mirror };
};

test('a tag that was withdrawn is no value any more, one that was moved is what it stands for now', async () => {
  const { git, commit, card, context, nextCommand } = prepared();
  commit('one');
  for (const tag of ['v1.2.0', 'v1.3.0']) git('tag', tag);
  expect(await (await nextCommand()).valuesOf(card(', tags: "v*"'), 'version', context)).toEqual(['v1.2.0', 'v1.3.0']);
  git('tag', '--delete', 'v1.3.0');
  const two = commit('two');
  git('tag', '--force', 'v1.2.0');
  const { valuesOf, commitsOf } = await nextCommand();
  expect(await valuesOf(card(', tags: "v*"'), 'version', context)).toEqual(['v1.2.0']);
  expect(await commitsOf(card(), 'version', ['v1.2.0', 'v1.3.0'], context)).toEqual([two, null]);
});

test('where what it stands at was never pushed all else can be asked for, and the rest is told as that', async () => {
  const { git, commit, card, context, nextCommand } = prepared();
  const one = commit('one');
  git('tag', 'v1.0');
  expect(await (await nextCommand()).commitsOf(card(), 'version', ['HEAD'], context)).toEqual([one]);
  git('symbolic-ref', 'HEAD', 'refs/heads/never');
  const { commitsOf, valuesOf, valuesBetween } = await nextCommand();
  expect(await commitsOf(card(), 'version', ['v1.0', 'main', 'HEAD'], context)).toEqual([one, one, null]);
  expect(await valuesOf(card(', tags: "v*"'), 'version', context)).toEqual(['v1.0']);
  expect(await valuesBetween(card(), 'version', '', 'main', context)).toEqual([one.slice(0, 12)]);
  const told = { problems: [{ code: 'unknown-revision', message: expect.stringMatching(/repository has no revision HEAD: what its HEAD names is not there$/) as string, hint: expect.stringContaining('main') as string }] };
  await expect(valuesOf(card(), 'version', context)).rejects.toMatchObject(told);
  await expect(valuesBetween(card(), 'version', 'v1.0', '', context)).rejects.toMatchObject(told);
});

test('another hangup that brings the same clone up to date meanwhile is no failure', async () => {
  const { root, git, commit, card, context, nextCommand, mirror } = prepared();
  commit('one');
  await (await nextCommand()).commitsOf(card(), 'version', ['main'], context);
  git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'another one');
  const now = git('rev-parse', 'HEAD');
  // Between what git has read of the clone and what it writes into it, somebody else has done the same.
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'serve'), `#!/bin/sh
git upload-pack "$@"
[ -e ${bin}/came ] && exit 0
touch ${bin}/came
git -C ${mirror()} fetch --quiet --force origin '+refs/heads/*:refs/heads/*' </dev/null >&2
`);
  chmodSync(join(bin, 'serve'), 0o755);
  const environment = { ...context.environment, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'remote.origin.uploadpack', GIT_CONFIG_VALUE_0: join(bin, 'serve') };
  expect(await (await nextCommand()).commitsOf(card(), 'version', ['main'], { ...context, environment })).toEqual([now]);
  expect(existsSync(join(bin, 'came'))).toBe(true);
});

test('a repository that is not there is told at once', async () => {
  const { root, context, nextCommand } = prepared();
  const card = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(join(root, 'nowhere'))}, use: main }` });
  await expect((await nextCommand()).valuesOf(card, 'version', context)).rejects.toMatchObject({ problems: [{ code: 'axis-not-read', message: expect.stringContaining('nowhere') as string }] });
});
