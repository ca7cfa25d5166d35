// A run whose harness or guard lives is nobody's to sweep, and a guard lives whatever its harness was called with.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { guardEnvironment } from './guard-environment.ts';
import { newRunId } from './fixtures/stage-plan.ts';
import { eventually } from './fixtures/wait.ts';
import { isAlive } from './processes.ts';
import { readRunFile, runFileOf } from './run-files.ts';
import { sweepDead } from './sweep-dead.ts';

const folders: string[] = [];
const children: ChildProcess[] = [];
const newFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  folders.push(path);
  return path;
};
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const startHarness = async (env: NodeJS.ProcessEnv = {}, cwd = newFolder()) => {
  const [runId, folder] = [newRunId(), newFolder()];
  const script = join(import.meta.dirname, 'fixtures/guarded.ts');
  const child = spawn(process.execPath, [script, runId, folder], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  const guard = readRunFile(runId)!.pid;
  return { runId, folder, child, guard };
};
const kill = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

test('the guard does not load what its harness was called with from a folder of its own', async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'pre.cjs'), '');
  const { runId, folder, child } = await startHarness({ NODE_OPTIONS: '--require ./pre.cjs' }, cwd);
  await kill(child);
  await eventually('the guard to remove the folder', () => !existsSync(folder) && !existsSync(runFileOf(runId)));
});

test('a run whose guard alone was killed is left alone, and swept once its harness has ended too', async () => {
  const { runId, folder, child, guard } = await startHarness();
  process.kill(guard, 'SIGKILL');
  await eventually('the end of the guard', () => !isAlive(guard));
  expect(await sweepDead()).not.toContain(runId);
  expect(existsSync(folder)).toBe(true);
  await kill(child);
  expect(await sweepDead()).toContain(runId);
  expect(existsSync(folder)).toBe(false);
});

test('what finds the engine goes on to the guard, with paths that hold from anywhere; what changes Node does not', () => {
  const environment = guardEnvironment({
    PATH: '/bin', NODE_OPTIONS: '--require ./x', NODE_V8_COVERAGE: 'c', DOCKER_HOST: 'tcp://a:1', DOCKER_CERT_PATH: 'certs', DOCKER_AUTH_CONFIG: 'secret', TESTCONTAINERS_HOST_OVERRIDE: 'h',
  });
  expect(environment).toEqual({
    PATH: '/bin', DOCKER_HOST: 'tcp://a:1', DOCKER_CERT_PATH: join(process.cwd(), 'certs'), TESTCONTAINERS_HOST_OVERRIDE: 'h', TMPDIR: tmpdir(),
  });
});
