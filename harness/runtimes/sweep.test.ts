// What is left of a run is found by its marks and removed; what is not of that run stays.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { newRunId } from './fixtures/stage-plan.ts';
import { isAlive, startTimeOf } from './processes.ts';
import { readRunFiles, runFileOf, writeRunFile } from './run-files.ts';
import { placeHere } from './run-life.ts';
import { silenceFileOf } from './silence.ts';
import { sweepDead } from './sweep-dead.ts';
import { sweepRun } from './sweep.ts';

const started: ChildProcess[] = [];
const sleeper = async (env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const child = spawn('sleep', ['100'], { env: { ...process.env, ...env } });
  started.push(child);
  await once(child, 'spawn');
  return child;
};
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  writeFileSync(join(path, 'file'), 'x');
  return path;
};
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

test('processes and folders of the run go, those of another stay', async () => {
  const [runId, other] = [newRunId(), newRunId()];
  const [own, foreign] = [await sleeper({ HANGUP_RUN: runId }), await sleeper({ HANGUP_RUN: other })];
  const [ownFolder, foreignFolder] = [folder(), folder()];
  const ended = once(own, 'exit');
  await sweepRun({ runId, folders: [ownFolder], engine: false });
  expect((await ended)[1]).toBe('SIGKILL');
  expect(existsSync(ownFolder)).toBe(false);
  expect(isAlive(foreign.pid!)).toBe(true);
  expect(existsSync(foreignFolder)).toBe(true);
  await sweepRun({ runId: other, folders: [foreignFolder], engine: false });
});

test('a run whose guard lives is left alone; once it is dead the next start sweeps', async () => {
  const runId = newRunId();
  const guard = await sleeper({});
  const own = folder();
  writeRunFile({ runId, folders: [own], engine: false, pid: guard.pid!, startTime: startTimeOf(guard.pid!) });
  expect(await sweepDead()).not.toContain(runId);
  expect(existsSync(own)).toBe(true);
  const ended = once(guard, 'exit');
  guard.kill('SIGKILL');
  await ended;
  expect(await sweepDead()).toContain(runId);
  expect(existsSync(own)).toBe(false);
  expect(existsSync(runFileOf(runId))).toBe(false);
});

test('a pid that another process has got meanwhile does not count as the guard', async () => {
  const runId = newRunId();
  const stranger = await sleeper({});
  writeRunFile({ runId, folders: [], engine: false, pid: stranger.pid!, startTime: '1' });
  expect(await sweepDead()).toContain(runId);
  expect(isAlive(stranger.pid!), 'the stranger is not touched').toBe(true);
});

test('a run that can be seen only by its note is swept when that stood still while somebody was awake to see it', async () => {
  const [runId, own] = [newRunId(), folder()];
  const elsewhere = { ...placeHere(), pids: 'pid:[1]' };
  // As after a night in which the machine slept: whoever touches it has not had the time to.
  const hourAgo = new Date(Date.now() - 3_600_000);
  writeRunFile({ runId, folders: [own], engine: false, pid: 1, startTime: '1', place: elsewhere });
  utimesSync(runFileOf(runId), hourAgo, hourAgo);
  const saw = silenceFileOf(runId);
  const longAgo = (): void => {
    const sight = JSON.parse(readFileSync(saw, 'utf8')) as { readonly atMs: number };
    writeFileSync(saw, JSON.stringify({ ...sight, atMs: sight.atMs - 600_000 }));
  };
  for (const _ of ['first', 'again']) expect(await sweepDead()).not.toContain(runId);
  longAgo();
  utimesSync(runFileOf(runId), new Date(), new Date());
  expect(await sweepDead(), 'it was touched meanwhile').not.toContain(runId);
  utimesSync(runFileOf(runId), hourAgo, new Date(hourAgo.getTime() + 60_000));
  expect(await sweepDead(), 'it was touched since it was seen').not.toContain(runId);
  expect(existsSync(own)).toBe(true);
  longAgo();
  expect(await sweepDead()).toContain(runId);
  expect([own, saw, runFileOf(runId)].filter(existsSync)).toEqual([]);
});

test('a note that cannot be read is passed over', () => {
  const path = runFileOf(newRunId());
  writeFileSync(path, '{ half');
  expect(readRunFiles().every((file) => typeof file.runId === 'string')).toBe(true);
  rmSync(path);
});
