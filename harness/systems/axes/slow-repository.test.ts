// Repositories that take their time: they have as long as a build has, it is said what is waited for, and what was ended for its time is
// told as that. The server is a real socket that takes a connection and says nothing.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemError } from '../../model/problem.ts';
import type { Card } from '../card.ts';
import { cardWith } from '../fixture.ts';
import { ensureSource } from './source-tree.ts';
import { longMsOf } from './source.ts';
import { valuesOf } from './values.ts';

/** Longer than anything is done in silence. */
const LONG_MS = 4_000;

const root = mkdtempSync(join(tmpdir(), 'hangup-slow-repository-'));
const local = join(root, 'local');
const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', local, '-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' }).trim();

let silent = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  silent = `git://127.0.0.1:${(server.address() as AddressInfo).port}/proxy.git`;
  execFileSync('git', ['init', '--quiet', '-b', 'main', local]);
  git('commit', '--quiet', '--allow-empty', '-m', 'one');
  git('tag', 'plain');
  writeFileSync(join(local, '.gitmodules'), `[submodule "part"]\n\tpath = part\n\turl = ${silent}\n`);
  git('add', '.gitmodules');
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},part`);
  git('commit', '--quiet', '-m', 'with a part');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await rm(root, { recursive: true, force: true });
});

const told: string[] = [];
const context = (longMs?: number) => ({
  environment: { ...process.env, XDG_CACHE_HOME: join(root, 'cache') }, progress: (line: string) => void told.push(line), ...(longMs === undefined ? {} : { longMs }),
});

const cardOf = (repository: string, more = ''): Card => cardWith({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}${more} }` });

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(() => null, (thrown: unknown) => thrown);
  if (error instanceof ProblemError) return error.problems[0]!;
  throw new Error(`no problem was told: ${String(error)}`);
};

/** Whoever has asked is gone. */
const isHungUp = (index: number) =>
  expect.poll(() => sockets[index]?.closed, { message: `connection ${index} is closed`, timeout: 10_000 }).toBe(true);

test('a repository has half an hour; what takes longer is told as what took too long, with what can be done', async () => {
  expect(longMsOf(context())).toBe(30 * 60_000);
  expect(await failureOf(valuesOf(cardOf(silent), 'version', context(LONG_MS)))).toMatchObject({
    code: 'axis-not-read', message: expect.stringContaining('cannot be had: fetching proxy.git took longer than 4.0 s and was ended') as string,
    hint: 'nothing of it is kept: clone it yourself, and write the path of that as `repository` in the card',
  });
  expect(told).toEqual(['fetching proxy.git']);
  await isHungUp(0);
}, 60_000);

test('submodules have as long, and are no fault of the revision', async () => {
  told.length = 0;
  expect(await failureOf(ensureSource(cardOf(local, ', use: main'), context(LONG_MS)))).toMatchObject({
    code: 'registry-unreachable', message: expect.stringMatching(/no work tree of [0-9a-f]{40}: small: fetching submodules took longer than 4\.0 s and was ended$/) as string,
  });
  expect(told.at(-1)).toBe('small: fetching submodules');
  await isHungUp(1);
}, 60_000);

test('what is told to stop ends with what it has started', async () => {
  const stop = new AbortController();
  const known = sockets.length;
  const work = ensureSource(cardOf(local, ', use: main'), { ...context(), signal: stop.signal });
  await expect.poll(() => sockets.length, { message: 'the submodule is being fetched', timeout: 20_000 }).toBeGreaterThan(known);
  stop.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  await isHungUp(known);
}, 60_000);

test('a step of a build that takes longer is told so too', async () => {
  expect(await failureOf(ensureSource(cardOf(local, ', use: plain, build: [[sh, -c, "sleep 300"]]'), context(LONG_MS)))).toMatchObject({
    code: 'source-not-built', message: expect.stringContaining('it took longer than 4.0 s and was ended') as string,
  });
}, 60_000);
