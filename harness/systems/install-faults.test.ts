// Words of real tools: what says something of a version, and what only says something of the machine.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { problem } from '../model/problem.ts';
import type { ProblemError } from '../model/problem.ts';
import { childrenOf } from '../probes/process-tree.ts';
import { ensureSource } from './axes/source-tree.ts';
import { cardWith } from './fixture.ts';
import { installPackages } from './install.ts';
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
  ['a tool without what it is run by', 'tool-missing', 'setpriv: failed to execute mvn: No such file or directory\n'],
  ['no node for npm', 'tool-missing', "/usr/bin/env: 'node': No such file or directory\n"],
  ['no constraints', 'tool-missing', "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'constraints.txt'"],
  ['no certificates', 'registry-unreachable', 'ERROR: Could not install packages due to an OSError: Could not find a suitable TLS CA certificate bundle, invalid path: ca.pem'],
  ['a compiler below pip is killed', 'tool-killed', 'x86_64-linux-gnu-gcc: fatal error: Killed signal terminated program cc1\nERROR: Failed building wheel for left'],
  ['the child that builds is killed', 'tool-killed', 'error: subprocess-exited-with-error\n\n  × Building wheel for left (pyproject.toml) did not run successfully.\n  │ exit code: -9\n'],
  ['git below npm is killed', 'tool-killed', 'npm error code 128\nnpm error error: git-remote-https died of signal 9'],
  ['no memory for a child', 'tool-killed', 'npm error code ENOMEM\nnpm error syscall spawn git'],
])('%s: %s', (_, fault, text) => {
  expect(installFaultOf(said(text))).toBe(fault);
});

test('Maven tells it among the rest: what it has not, and what it cannot reach', () => {
  const maven = (line: string): Error => said('', { stdout: `[INFO] Scanning\n[WARNING] Could not transfer metadata from spare: Connection refused\n[ERROR] ${line}\n` });
  const unresolved = 'Failed to execute goal on project installed: Could not resolve dependencies for project hangup:installed:pom:0:';
  expect(installFaultOf(maven(`${unresolved} Could not find artifact a:b:jar:9 in central (file:///repository) -> [Help 1]`))).toBe('install-failed');
  expect(installFaultOf(maven(`${unresolved} Failed to collect dependencies at a:b:jar:1: Could not transfer artifact a:b:pom:1 from/to central (http://nowhere.invalid/): nowhere.invalid`))).toBe('registry-unreachable');
});

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hangup-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** What `apt-get` itself says of an archive, with everything of its own in a folder. */
const aptSays = async (source: string, words: readonly string[]): Promise<unknown> => {
  const folder = temporary();
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

test('an image in whose build somebody was killed is no fault of what goes into it; what it lacks within is its recipe\'s', () => {
  const codeOf = (message: string): string => (imageFaultOf(problem('environment', 'image-not-built', message)) as ProblemError).problems[0]!.code;
  expect(codeOf("x cannot be built: The command '/bin/sh -c make' returned a non-zero code: 137")).toBe('tool-killed');
  for (const own of ["The command '/bin/sh -c make' returned a non-zero code: 2", "/usr/bin/env: 'node': No such file or directory"]) expect(codeOf(`x cannot be built: ${own}`)).toBe('image-not-built');
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
  // Our own files, in a cache that is full.
  expect(installFaultOf(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }))).toBe('cache-not-writable');
});

const saysOf = (script: string): Promise<unknown> => promisify(execFile)('sh', ['-c', script]).then(() => null, (cause: unknown) => cause);

test('what was ended from outside, or never begun, says nothing of what it was to install; what crashes may', async () => {
  for (const signal of ['KILL', 'TERM', 'INT', 'HUP']) expect(installFaultOf(await saysOf(`kill -${signal} $$`)), signal).toBe('tool-killed');
  expect(installFaultOf(await saysOf('sh -c "kill -9 \\$\\$"; exit $?'))).toBe('tool-killed');
  for (const script of ['exec hangup-no-such-tool', 'env hangup-no-such-tool', 'exec /']) expect(installFaultOf(await saysOf(script)), script).toBe('tool-missing');
  for (const script of ['kill -SEGV $$', 'kill -ABRT $$', 'exit 1', 'exit 128']) expect(installFaultOf(await saysOf(script)), script).toBe('install-failed');
});

test('a step of a build in which somebody was killed, or which calls what is not here', () => {
  const last = (line: string): string => buildFaultOf(`compiling\n${line}\n`);
  for (const line of [
    'c++: fatal error: Killed signal terminated program cc1plus', 'make[2]: *** [Makefile:12: proxy.o] Killed', "  process didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill)", 'go build proxy: compile: signal: killed',
    'npm error signal SIGKILL', ' ELIFECYCLE  Command failed with exit code 137.', 'OSError: [Errno 12] Cannot allocate memory',
  ]) expect(last(line), line).toBe('tool-killed');
  for (const line of ["/usr/bin/env: 'node': No such file or directory", 'env: \u2018python2\u2019: No such file or directory', "env: can't execute 'node': No such file or directory", 'setpriv: failed to execute mvn: No such file or directory',
    'sh: ./configure: /usr/bin/perl5: bad interpreter: No such file or directory']) expect(last(line), line).toBe('tool-missing');
  // Of the revision itself: scripts with ends of lines that no shell takes, programs that its own packages should bring, tests that kill.
  for (const line of ["/usr/bin/env: 'node\\r': No such file or directory", 'sh: ./configure: /bin/sh^M: bad interpreter: No such file or directory', 'setpriv: failed to execute ./configure: No such file or directory',
    'sh: 1: tsc: not found', 'not ok 137 - is killed', 'Killed']) expect(last(line), line).toBe('install-failed');
});

test.skipIf(process.platform !== 'linux')('npm that is killed, as the kernel does where memory is short, stops everything', async () => {
  const cache = temporary();
  const isOurs = (pid: number): boolean => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`XDG_CACHE_HOME=${cache}\0`);
  const registry = createServer(() => void (childrenOf('/proc', process.pid) ?? []).filter(isOurs).forEach((pid) => process.kill(pid, 'SIGKILL')));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void registry.close().closeAllConnections());
  const environment = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: cache, XDG_CACHE_HOME: cache, npm_config_cache: join(cache, 'npm'), no_proxy: '127.0.0.1',
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  };
  await expect(installPackages(cardWith({ install: 'install: { npm: [ "left@1.2.3" ] }' }), () => {}, { environment })).rejects.toMatchObject({
    problems: [{ code: 'tool-killed', message: 'small: cannot install left@1.2.3: npm was ended by SIGKILL', hint: expect.stringContaining('memory enough') as string }],
  });
}, 60_000);

const committed = (): string => {
  const repository = temporary();
  for (const words of [['init', '--quiet', '-b', 'main'], ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', 'commit', '--quiet', '--allow-empty', '-m', 'one']])
    execFileSync('git', ['-C', repository, ...words]);
  return repository;
};

const builtBy = (command: readonly string[], environment: NodeJS.ProcessEnv): Promise<unknown> => {
  const versions = `versions: { from: git, repository: ${JSON.stringify(committed())}, use: main, build: [${JSON.stringify(command)}] }`;
  return ensureSource(cardWith({ versions }), { environment, progress: () => {} });
};

test('a tool that is here without what it is to be run by is missing', async () => {
  const bin = temporary();
  writeFileSync(join(bin, 'mvn'), '#!/nowhere/sh\n', { mode: 0o755 });
  // Whoever looks along a path goes on behind what cannot be run: there must be no other.
  for (const path of execFileSync('sh', ['-c', 'for each in sh git setpriv; do command -v $each; done; true'], { encoding: 'utf8' }).trim().split('\n')) symlinkSync(path, join(bin, basename(path)));
  const environment = { PATH: bin, HOME: bin, XDG_CACHE_HOME: bin };
  const installing = installPackages(cardWith({ install: 'install: { maven: [ "a:b:1" ] }' }), () => {}, { environment });
  await expect(installing).rejects.toMatchObject({ problems: [{ code: 'tool-missing' }] });
  await expect(builtBy(['mvn'], environment)).rejects.toMatchObject({ problems: [{ code: 'tool-missing' }] });
});

test('a step that was killed stops everything; one that ends itself by another signal is the revision\'s own', async () => {
  const home = temporary();
  const environment = { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: home };
  const hint = expect.stringContaining('memory enough') as string;
  for (const [script, how] of [['kill -9 $$', 'ended by SIGKILL'], ['sh -c "kill -9 \\$\\$"; exit $?', 'exit code 137']] as const) {
    const problems = [{ code: 'tool-killed', hint, message: expect.stringMatching(new RegExp(`: ${how}$`)) as string }];
    await expect(builtBy(['sh', '-c', script], environment)).rejects.toMatchObject({ problems });
  }
  for (const signal of ['TERM', 'SEGV']) await expect(builtBy(['sh', '-c', `kill -${signal} $$`], environment)).rejects.toMatchObject({ problems: [{ code: 'source-not-built' }] });
});
