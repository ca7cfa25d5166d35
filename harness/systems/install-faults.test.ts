// Words of real tools: what says something of a version, and what only says something of the machine.
import { expect, test } from 'vitest';
import { installFaultOf } from './install-faults.ts';

const said = (text: string, more: object = {}): Error => Object.assign(new Error('Command failed'), { code: 1, killed: false, stdout: '', stderr: text, ...more });

test.each([
  ['no such version of npm', 'install-failed', 'npm error code ETARGET\nnpm error notarget No matching version found for left@9.'],
  ['no such package of npm, told after a warning', 'install-failed', 'npm warn audit request failed, reason: connect ECONNREFUSED\nnpm error code E404\n'],
  ['no such version of PyPI, found at the second try', 'install-failed',
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'ReadTimeoutError': /left/\nERROR: Could not find a version that satisfies the requirement left==9 (from versions: 1.0, 2.0)"],
  ['it does not build', 'install-failed', 'error: subprocess-exited-with-error\nSyntaxError: invalid syntax\nERROR: Failed building wheel for left'],
  ['npm cannot reach it', 'registry-unreachable', 'npm error code ENOTFOUND\nnpm error network request to http://nowhere.invalid/left failed'],
  ['npm is not let in', 'registry-unreachable', 'npm error code E403\nnpm error 403 403 Forbidden'],
  ['npm meets a broken server', 'registry-unreachable', 'npm error code E503\n'],
  ['pip cannot reach it', 'registry-unreachable',
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError': /left/\nERROR: Could not find a version that satisfies the requirement left==9 (from versions: none)"],
  ['git below pip cannot reach it', 'registry-unreachable', "fatal: unable to access 'https://nowhere.invalid/left/': Could not resolve host: nowhere.invalid"],
  ['the cache of npm', 'cache-not-writable', 'npm error code EACCES\nnpm error syscall mkdir'],
  ['a full disk', 'cache-not-writable', 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device'],
  ['no compiler', 'tool-missing', "error: command 'gcc' failed: No such file or directory\nERROR: Failed building wheel for left"],
  ['no git', 'tool-missing', "ERROR: Cannot find command 'git' - do you have 'git' installed and in your PATH?"],
])('%s: %s', (_, fault, text) => {
  expect(installFaultOf(said(text))).toBe(fault);
});

test('Maven tells it among the rest: what it has not, and what it cannot reach', () => {
  const maven = (line: string): Error => said('', { stdout: `[INFO] Scanning\n[WARNING] Could not transfer metadata from spare: Connection refused\n[ERROR] ${line}\n` });
  expect(installFaultOf(maven('Failed to execute goal: Could not find artifact a:b:jar:9 in central'))).toBe('install-failed');
  expect(installFaultOf(maven('Failed to execute goal: Could not transfer artifact a:b:pom:1 from central: Connection refused'))).toBe('registry-unreachable');
});

test('a tool that is not there, and one that was ended for taking too long', () => {
  expect(installFaultOf(said('', { code: 'ENOENT' }))).toBe('tool-missing');
  expect(installFaultOf(said('', { killed: true }))).toBe('registry-unreachable');
});
