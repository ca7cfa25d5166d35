// Words of real tools: what says something of a version, and what only says something of the machine.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { problem } from '../model/problem.ts';
import type { ProblemError } from '../model/problem.ts';
import { buildFaultOf, imageFaultOf, installFaultOf } from './install-faults.ts';

const said = (text: string, more: object = {}): Error => Object.assign(new Error('Command failed'), { code: 1, killed: false, stdout: '', stderr: text, ...more });

test.each([
  ['no such version of npm', 'install-failed', 'npm error code ETARGET\nnpm error notarget No matching version found for left@9.'],
  ['no such package of npm, told after a warning', 'install-failed', 'npm warn audit request failed, reason: connect ECONNREFUSED\nnpm error code E404\n'],
  ['no such version of PyPI, found at the second try', 'install-failed',
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'ReadTimeoutError': /left/\nERROR: Could not find a version that satisfies the requirement left==9 (from versions: 1.0, 2.0)"],
  ['it does not build', 'install-failed', 'error: subprocess-exited-with-error\nSyntaxError: invalid syntax\nERROR: Failed building wheel for left'],
  ['peers that do not agree', 'install-failed', 'npm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error While resolving: left@1.0.0'],
  ['npm cannot reach it', 'registry-unreachable', 'npm error code ENOTFOUND\nnpm error network request to http://nowhere.invalid/left failed'],
  ['npm is not let in', 'registry-unreachable', 'npm error code E403\nnpm error 403 403 Forbidden'],
  ['npm meets a broken server', 'registry-unreachable', 'npm error code E503\n'],
  ['pip cannot reach it', 'registry-unreachable',
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError': /left/\nERROR: Could not find a version that satisfies the requirement left==9 (from versions: none)"],
  ['git below pip cannot reach it', 'registry-unreachable', "fatal: unable to access 'https://nowhere.invalid/left/': Could not resolve host: nowhere.invalid"],
  ['git below npm cannot reach it', 'registry-unreachable',
    "npm error code 128\nnpm error fatal: unable to access 'http://127.0.0.1:1/left.git/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server"],
  ['git is told that there is none', 'install-failed', "npm error code 128\nnpm error fatal: repository 'http://127.0.0.1:8000/left.git/' not found"],
  ['git only warns of its own settings', 'install-failed',
    "npm error code 128\nnpm error warning: unable to access '/root/.config/git/attributes': Permission denied\nnpm error fatal: not a git repository"],
  ['the cache of npm', 'cache-not-writable', 'npm error code EACCES\nnpm error syscall mkdir'],
  ['a full disk', 'cache-not-writable', 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device'],
  ['no compiler', 'tool-missing', "error: command 'gcc' failed: No such file or directory\nERROR: Failed building wheel for left"],
  ['no git', 'tool-missing', "ERROR: Cannot find command 'git' - do you have 'git' installed and in your PATH?"],
])('%s: %s', (_, fault, text) => {
  expect(installFaultOf(said(text))).toBe(fault);
});

test('Maven tells it among the rest: what it has not, and what it cannot reach', () => {
  const maven = (line: string): Error => said('', { stdout: `[INFO] Scanning\n[WARNING] Could not transfer metadata from spare: Connection refused\n[ERROR] ${line}\n` });
  const unresolved = 'Failed to execute goal on project installed: Could not resolve dependencies for project hangup:installed:pom:0:';
  expect(installFaultOf(maven(`${unresolved} Could not find artifact a:b:jar:9 in central (file:///repository) -> [Help 1]`))).toBe('install-failed');
  expect(installFaultOf(maven(`${unresolved} Failed to collect dependencies at a:b:jar:1: Could not transfer artifact a:b:pom:1 from/to central (http://nowhere.invalid/): nowhere.invalid`))).toBe('registry-unreachable');
});

/** What `apt-get` itself says of an archive, with everything of its own in a folder. */
const aptSays = async (source: string, words: readonly string[]): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-apt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'etc/parts']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'etc', 'list'), source);
  writeFileSync(join(folder, 'status'), '');
  const places = { 'Dir::State': 'state', 'Dir::State::status': 'status', 'Dir::Cache': 'cache', 'Dir::Etc::SourceList': 'etc/list', 'Dir::Etc::SourceParts': 'etc/parts' };
  const options = [...Object.entries(places).map(([name, place]) => `${name}=${join(folder, place)}`), 'Acquire::Retries=0', 'APT::Sandbox::User=root'].flatMap((option) => ['-o', option]);
  return promisify(execFile)('apt-get', [...options, ...words], { env: { ...process.env, LC_ALL: 'C' } }).then(() => null, (cause: unknown) => cause);
};

test.runIf(existsSync('/usr/bin/apt-get'))('an image that is not built, since the archive of Debian cannot be reached, is no fault of what goes into it', async () => {
  const faultOf = async (source: string, words: readonly string[]): Promise<string> => {
    const error = imageFaultOf(problem('environment', 'image-not-built', 'no image can be made', { cause: await aptSays(source, words) }));
    return (error as ProblemError).problems[0]!.code;
  };
  expect(await faultOf('deb http://127.0.0.1:1/ bookworm main\n', ['update', '--error-on=any'])).toBe('registry-unreachable');
  expect(await faultOf('', ['install', '-s', 'hangup-no-such-package'])).toBe('image-not-built');
  // The builder's last lines are in the hint.
  const built = problem('environment', 'image-not-built', 'x cannot be built: code 100', { hint: "the builder's last lines:\n  | Temporary failure resolving 'deb.debian.org'" });
  expect((imageFaultOf(built) as ProblemError).problems[0]).toMatchObject({ code: 'registry-unreachable', hint: expect.stringContaining('resolving') as string });
});

test('a step of a build: what it could not reach, a full disk, and its own mistakes', () => {
  expect(buildFaultOf('ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n')).toBe('cache-not-writable');
  expect(buildFaultOf('curl: (6) Could not resolve host: nowhere.invalid\n')).toBe('registry-unreachable');
  for (const own of ['sh: 1: ./configure: Permission denied', 'Error: spawn ./build.sh EACCES', 'Error: spawn tsc ENOENT', 'error TS2304: Cannot find name'])
    expect(buildFaultOf(`${own}\n`)).toBe('install-failed');
});

test('a tool that is not there, and one that was ended for taking too long', () => {
  expect(installFaultOf(said('', { code: 'ENOENT' }))).toBe('tool-missing');
  expect(installFaultOf(said('', { killed: true }))).toBe('registry-unreachable');
});
