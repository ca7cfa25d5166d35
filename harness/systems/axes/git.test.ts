// Revisions of a real repository: their order, a work tree of each that is built once, and what is told where that fails.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../../model/problem.ts';
import { cardWith } from '../fixture.ts';
import { logOf } from '../untestable.ts';
import type { Card } from '../card.ts';
import { cardAt } from './card-at.ts';
import { ensureSource } from './source-tree.ts';
import { allValuesOf, valuesBetween, valuesOf } from './values.ts';

const root = mkdtempSync(join(tmpdir(), 'hangup-git-axis-'));
const repository = join(root, 'repository');
const built = join(root, 'built.txt');
const told: string[] = [];
const context = { environment: { ...process.env, XDG_CACHE_HOME: join(root, 'cache'), BUILT: built }, progress: (line: string) => void told.push(line) };

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();

const commit = (text: string, tag?: string): string => {
  writeFileSync(join(repository, 'proxy.txt'), text);
  git('add', '.');
  git('commit', '--quiet', '-m', text);
  if (tag) git('tag', tag);
  return git('rev-parse', 'HEAD');
};

const BUILD = 'build: [[sh, -c, "echo compiling; cat proxy.txt >> $BUILT; grep -q broken proxy.txt && { echo no such part >&2; exit 3; }; pwd > made"]]';
const cardOf = (more = ''): Card => cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: v1.0, ${BUILD}${more} }` });

let commits: readonly string[] = [];
beforeAll(() => {
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  commits = [commit('one\n', 'v1.0'), commit('two\n', 'v1.2'), commit('broken\n', 'v1.10'), commit('four\n')];
  for (const tag of ['v2.0', 'v2.0-rc1', 'v2.0-rc10', 'v2.0-rc9']) git('tag', `next-${tag}`, commits[1]!);
  git('tag', '--annotate', '-m', 'one more', 'next-v2.0.1');
  git('tag', 'next-v2');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const failureOf = async (work: Promise<unknown>): Promise<ProblemError> => {
  const error = await work.then(() => null, (thrown: unknown) => thrown);
  if (error instanceof ProblemError) return error;
  throw new Error(`no problem was told: ${String(error)}`);
};

describe('the order of revisions', () => {
  test('commits from the oldest to the newest, or tags by their versions', async () => {
    const short = commits.map((hash) => hash.slice(0, 12));
    expect(await valuesOf(cardOf(), 'version', context)).toEqual(short);
    expect(await valuesOf(cardOf(', tags: "v*"'), 'version', context)).toEqual(['v1.0', 'v1.2', 'v1.10']);
    expect(await valuesBetween(cardOf(), 'version', 'v1.2', 'main', context)).toEqual(short.slice(1));
    expect(await valuesBetween(cardOf(), 'version', '', 'v1.2', context)).toEqual(short.slice(0, 2));
    // Tags are a list like any other.
    expect(await valuesBetween(cardOf(', tags: "v*"'), 'version', 'v1.0', 'v1.2', context)).toBeNull();
  });

  test('tags that lead to a release stand before it, and may only be named, whatever the settings of git', async () => {
    const named = (words: string) => words.split(' ').map((one) => `next-v2.0${one === '.' ? '' : one}`);
    const unusual = { GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'tag.sort', GIT_CONFIG_VALUE_0: '-refname', GIT_CONFIG_KEY_1: 'versionsort.suffix', GIT_CONFIG_VALUE_1: '.1' };
    const values = await allValuesOf(cardOf(', tags: "next-*"'), 'version', { ...context, environment: { ...context.environment, ...unusual } });
    expect(values).toMatchObject({ all: [...named('-rc1 -rc9 -rc10'), 'next-v2', ...named('. .1')], offered: named('. .1'), moving: new Map([['next-v2', 'next-v2.0.1']]) });
    expect(told).toContain('version: left out as moved on with each release: next-v2 (now next-v2.0.1)');
  });

  test('an end beside the line of first parents is refused, and where it was left is named', async () => {
    const merged = join(root, 'merged');
    execFileSync('git', ['clone', '--quiet', repository, merged]);
    const at = (...words: readonly string[]): string =>
      execFileSync('git', ['-C', merged, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();
    at('switch', '--quiet', '-c', 'side', 'v1.2');
    at('commit', '--quiet', '--allow-empty', '-m', 'beside');
    at('switch', '--quiet', 'main');
    at('merge', '--quiet', '--no-ff', '-m', 'both', 'side');
    at('branch', 'apart', at('commit-tree', '-m', 'apart', 'main^{tree}'));
    const card = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(merged)}, use: main }` });
    const base = commits[1]!.slice(0, 12);
    expect((await failureOf(valuesBetween(card, 'version', 'side', 'main', context))).problems[0]).toMatchObject({
      code: 'bad-range', hint: expect.stringContaining(`version=${base}..main`) as string,
    });
    // Merged, it is older; and yet it is no end of a line that leads to main.
    const hintOf = async (from: string, to: string) => (await failureOf(valuesBetween(card, 'version', from, to, context))).problems[0]!.hint;
    expect(await hintOf('main', 'side')).toBe(`write version=${base}..main: there both lines part`);
    expect(await hintOf('side', 'apart')).toBe('they have no commit in common');
    expect(await hintOf('apart', 'side')).toBe('they have no commit in common');
    expect(await valuesBetween(card, 'version', base, 'main', context)).toEqual([...commits.slice(1), at('rev-parse', 'main')].map((hash) => hash.slice(0, 12)));
  });

  test('a range that runs backwards, and a name that is none', async () => {
    expect((await failureOf(valuesBetween(cardOf(), 'version', 'main', 'v1.0', context))).problems[0]).toMatchObject({ code: 'bad-range', hint: 'the older revision stands first' });
    expect((await failureOf(valuesBetween(cardOf(), 'version', 'v1.00', 'main', context))).problems[0]).toMatchObject({
      code: 'unknown-revision', hint: expect.stringContaining('did you mean `v1.0`?') as string,
    });
  });
});

describe('work trees', () => {
  test('one for each revision, at its commit, built once whoever asks', async () => {
    const [first, again, second] = [await ensureSource(cardOf(), context), await ensureSource(cardOf(), context), await ensureSource(cardAt(cardOf(), { version: 'HEAD' }), context)];
    expect(first).toEqual(again);
    expect(first!.commit).toBe(commits[0]);
    expect(second!.commit).toBe(commits[3]);
    expect(readFileSync(join(first!.folder, 'proxy.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(built, 'utf8')).toBe('one\nfour\n');
    // What it was built as is where it is: builds write their own paths.
    expect(readFileSync(join(first!.folder, 'made'), 'utf8').trim()).toBe(first!.folder);
    expect(told.filter((line) => line.includes('building it'))).toHaveLength(2);
  });

  test('one that another Node or Python built is not taken: what it holds may not be for the one that is there now', async () => {
    const other = join(root, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'python3'), '#!/bin/sh\necho 4.0\n', { mode: 0o755 });
    const upgraded = { ...context, environment: { ...context.environment, PATH: `${other}:${process.env['PATH']}` } };
    const [before, after, again] = [await ensureSource(cardOf(), context), await ensureSource(cardOf(), upgraded), await ensureSource(cardOf(), context)];
    expect(after!.commit).toBe(before!.commit);
    expect(after!.folder).not.toBe(before!.folder);
    expect(again).toEqual(before);
    // Where nothing is built, nothing hangs on them.
    const plain = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: v1.0 }` });
    expect(await ensureSource(plain, upgraded)).toEqual(await ensureSource(plain, context));
  });

  test('one that cannot be built tells with what, is not kept, and is tried again the next time', async () => {
    const broken = cardAt(cardOf(), { version: 'v1.10' });
    const problem = await failureOf(ensureSource(broken, context));
    expect(problem.problems[0]).toMatchObject({ code: 'source-not-built', message: expect.stringContaining(`failed at v1.10 (${commits[2]!.slice(0, 12)}): exit code 3`) as string });
    expect(logOf(problem)).toMatch(/\$ sh -c [\s\S]*compiling\nno such part/);
    await failureOf(ensureSource(broken, context));
    expect(readFileSync(built, 'utf8').match(/broken/g)).toHaveLength(2);
  });

  test('a submodule that cannot be reached, and a build that cannot reach what it needs, are no fault of the revision', async () => {
    const gitmodules = '[submodule "part"]\n\tpath = part\n\turl = http://127.0.0.1:1/part.git\n';
    const outside = join(root, 'outside');
    execFileSync('git', ['clone', '--quiet', repository, outside]);
    const at = (...words: readonly string[]): string =>
      execFileSync('git', ['-C', outside, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();
    writeFileSync(join(outside, '.gitmodules'), gitmodules);
    at('add', '.gitmodules');
    at('update-index', '--add', '--cacheinfo', `160000,${commits[0]},part`);
    at('commit', '--quiet', '-m', 'with a part');
    const cardThat = (revision: string, build: readonly string[]): Card =>
      cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(outside)}, use: ${revision}, build: [${JSON.stringify(build)}] }` });
    const faultOf = async (card: Card) => (await failureOf(ensureSource(card, context))).problems[0];
    expect(await faultOf(cardThat('main', ['true']))).toMatchObject({ code: 'registry-unreachable', message: expect.stringContaining('part.git') as string });
    const registry = ['npm_config_registry=http://127.0.0.1:1/', 'npm_config_fetch_retries=0', `npm_config_cache=${join(root, 'npm')}`];
    expect(await faultOf(cardThat('v1.0', ['env', ...registry, 'npm', 'install', '--no-audit', 'left@1.0.0']))).toMatchObject({ code: 'registry-unreachable' });
    expect(await faultOf(cardThat('v1.0', ['sh', '-c', 'echo Connection refused; seq 30; exit 3']))).toMatchObject({ code: 'source-not-built' });
    // A program that is not on this machine is missing at every revision; one of the tree may be missing at this one.
    expect(await faultOf(cardThat('v1.0', ['hangup-no-such-compiler']))).toMatchObject({ code: 'tool-missing', message: expect.stringContaining('hangup-no-such-compiler') as string });
    expect(await faultOf(cardThat('v1.0', ['./configure']))).toMatchObject({ code: 'source-not-built' });
  });

  test('a build that is told to stop ends with what it has started', async () => {
    const stop = new AbortController();
    const started = join(root, 'started');
    const slow = cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: v1.2, build: [[sh, -c, "echo $$ > ${started}; sleep 300 & wait"]] }` });
    const work = ensureSource(slow, { ...context, signal: stop.signal });
    await expect.poll(() => { try { return readFileSync(started, 'utf8').trim(); } catch { return ''; } }, { message: 'the build has begun', timeout: 20_000 }).not.toBe('');
    stop.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    const group = Number(readFileSync(started, 'utf8'));
    await expect.poll(() => { try { process.kill(-group, 0); return 'alive'; } catch { return 'gone'; } }, { message: 'the build is gone', timeout: 10_000 }).toBe('gone');
  });
});
