// Builds and installs end with the harness, however that ends, and with all that they have started. Real builds of a real repository, and
// real tools that wait for registries which say nothing.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAlive, livePids } from '../runtimes/processes.ts';
import { eventually } from '../runtimes/fixtures/wait.ts';
import { ensureSource } from './axes/source-tree.ts';
import { cardWith } from './fixture.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/prepare.ts');
const root = mkdtempSync(join(tmpdir(), 'hangup-prepared-'));
const repository = join(root, 'repository');
const cache = join(root, 'cache');
const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => {}).resume()));
const harnesses: ChildProcess[] = [];
let silent = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  silent = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  execFileSync('git', ['init', '--quiet', '-b', 'main', repository]);
  const author = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', repository, ...author, 'commit', '--quiet', '--allow-empty', '-m', 'one']);
});
afterEach(() => harnesses.splice(0).forEach((one) => one.kill('SIGKILL')));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Whose command says it, by a number that nobody else sleeps for. */
const sleepersOf = (seconds: string): readonly number[] => livePids().filter((pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[1] === seconds;
  } catch {
    return false;
  }
});

const buildOf = (command: string): Record<string, string> =>
  ({ versions: `versions: { from: git, repository: ${JSON.stringify(repository)}, use: main, build: [ [sh, -c, ${JSON.stringify(command)}] ] }` });

const environmentOf = (): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: root, XDG_CACHE_HOME: cache, TMPDIR: root, no_proxy: '127.0.0.1', npm_config_cache: join(root, 'npm'),
  npm_config_registry: `http://${silent}/`, PIP_INDEX_URL: `http://${silent}/`, PIP_FIND_LINKS: '',
});

const prepare = (parts: Record<string, string>): ChildProcess => {
  const harness = spawn(process.execPath, [FIXTURE, JSON.stringify(parts)], { stdio: ['ignore', 'pipe', 'inherit'], env: environmentOf() });
  harnesses.push(harness);
  return harness;
};

/** The notes of runs that are still to be swept, and folders that are not whole. */
const left = (): readonly string[] => {
  const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);
  const sources = namesIn(join(cache, 'hangup/sources')).flatMap((key) => namesIn(join(cache, 'hangup/sources', key)).map((name) => `${key}/${name}`));
  const packages = namesIn(join(cache, 'hangup')).filter((name) => /^(?:npm|pypi)-/.test(name));
  const notes = namesIn(root).filter((name) => /^hangup-\d+$/.test(name)).flatMap((name) => namesIn(join(root, name, 'runs')));
  return [...sources, ...packages, ...notes];
};

describe.skipIf(process.platform !== 'linux')('a harness that is killed', () => {
  test('during a step of a build: the step, what it has started, and its work tree are gone', async () => {
    const seconds = `1001.${process.pid}`;
    const harness = prepare(buildOf(`(setsid sleep ${seconds} &) ; sleep ${seconds} & trap '' TERM HUP; sleep ${seconds}`));
    await eventually('the step with all that it starts', () => sleepersOf(seconds).length === 3);
    expect(left().join(' ')).toMatch(/built-/);
    harness.kill('SIGKILL');
    await eventually('the end of the step', () => sleepersOf(seconds).length === 0);
    await eventually(`the removal of ${left().join(', ')}`, () => left().length === 0);
  }, 60_000);

  test.each([
    ['npm', 'install: { npm: [ "left@1.2.3" ] }'],
    ['pip', 'install: { pypi: [ "left==1.2.3" ] }'],
  ])('during an install by %s: the tool hangs up, and its folder is gone', async (_, install) => {
    const known = sockets.length;
    const harness = prepare({ install });
    await eventually('the tool at its registry', () => sockets.length > known, 30_000);
    expect(left().join(' ')).toMatch(/(?:npm|pypi)-[0-9a-f]{16}\./);
    harness.kill('SIGKILL');
    await eventually('the tool hanging up', () => sockets.slice(known).every(({ closed }) => closed));
    await eventually(`the removal of ${left().join(', ')}`, () => left().length === 0);
  }, 60_000);

  test('while git fetches: it hangs up', async () => {
    const known = sockets.length;
    const harness = prepare({ versions: `versions: { from: git, repository: "git://${silent}/proxy.git", use: main }` });
    await eventually('git at the repository', () => sockets.length > known, 30_000);
    harness.kill('SIGKILL');
    await eventually('git hanging up', () => sockets.slice(known).every(({ closed }) => closed));
  }, 60_000);
});

test.skipIf(process.platform !== 'linux')('a step that is over has left nobody behind, in its group or out of it', async () => {
  const seconds = `1002.${process.pid}`;
  const context = { environment: environmentOf(), progress: () => {} };
  const command = `sleep ${seconds} & (setsid sleep ${seconds} &) ; until [ $(pgrep -cx -f "sleep ${seconds}") = 2 ]; do :; done; echo $$ > ${root}/step`;
  const source = await ensureSource(cardWith(buildOf(command)), context);
  expect(sleepersOf(seconds)).toEqual([]);
  expect(isAlive(Number(readFileSync(join(root, 'step'), 'utf8')))).toBe(false);
  expect(existsSync(source!.folder), 'what it has made stays').toBe(true);
  expect(await ensureSource(cardWith(buildOf(command)), context)).toEqual(source);
}, 60_000);

test('a program that is not there is told as that, with a search path of its own or none', async () => {
  const context = { environment: environmentOf(), progress: () => {} };
  const versions = `versions: { from: git, repository: ${JSON.stringify(repository)}, use: main, build: [ [no-such-program] ] }`;
  await expect(ensureSource(cardWith({ versions }), context)).rejects.toMatchObject({ problems: [{ code: 'tool-missing' }] });
  await expect(ensureSource(cardWith({ versions: versions.replace('no-such', './no-such') }), context)).rejects.toMatchObject({ problems: [{ code: 'source-not-built' }] });
});
