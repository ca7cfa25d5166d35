// What a dead run left with an engine is asked of that engine, and is not forgotten before it has answered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startEngineSocket } from './fixtures/engine-socket.ts';
import type { Answer, EngineSocket } from './fixtures/engine-socket.ts';
import { newRunId } from './fixtures/stage-plan.ts';
import { runFileOf, writeRunFile } from './run-files.ts';
import { placeHere } from './run-life.ts';
import { GUARD_ENTRY, GUARD_FLAGS, sweepDead } from './sweep-dead.ts';

const sockets: EngineSocket[] = [];
const runs: string[] = [];
const given = process.env['DOCKER_HOST'];
afterEach(() => {
  if (given === undefined) delete process.env['DOCKER_HOST'];
  else process.env['DOCKER_HOST'] = given;
  for (const socket of sockets.splice(0)) socket.close();
  for (const runId of runs.splice(0)) rmSync(runFileOf(runId), { force: true });
});
const engine = async (answer?: (asked: string) => Answer | undefined): Promise<EngineSocket> => {
  const socket = await startEngineSocket(answer);
  sockets.push(socket);
  return socket;
};
const gone = { pid: process.pid, startTime: '1' };
/** A run of which nobody lives. */
const deadRun = (host: string, more: Readonly<Record<string, string>> = {}, making: Readonly<Record<string, number>> = {}): { readonly runId: string; readonly folder: string } => {
  const [runId, folder] = [newRunId(), mkdtempSync(join(tmpdir(), 'hangup-test-'))];
  runs.push(runId);
  writeRunFile({ runId, folders: [folder], engine: true, engineAt: { DOCKER_HOST: host, ...more }, making, ...gone, harness: gone, place: placeHere() });
  return { runId, folder };
};

test('containers are removed from the engine that the run had used, not from the one that is found now', async () => {
  let left = 1;
  const used = await engine((asked) => {
    if (asked === 'GET /containers/json') return [200, left > 0 ? [{ Id: 'c1' }] : []];
    if (asked !== 'DELETE /containers/c1') return undefined;
    left = 0;
    return [204];
  });
  const found = await engine();
  process.env['DOCKER_HOST'] = found.host;
  const { runId, folder } = deadRun(used.host);
  expect(await sweepDead()).toContain(runId);
  expect(left).toBe(0);
  expect(found.asked).toEqual([]);
  expect([folder, runFileOf(runId)].filter(existsSync)).toEqual([]);
});

test('an engine that cannot be reached is told in one line and not waited for; its notes stay', async () => {
  const host = `unix://${join(tmpdir(), `${newRunId()}.sock`)}`;
  const [one, other] = [deadRun(host), deadRun(host)];
  const told: string[] = [];
  const beganMs = Date.now();
  const swept = await sweepDead((line) => told.push(line));
  expect(Date.now() - beganMs, 'the time that a start stands still').toBeLessThan(15_000);
  const [line = '', ...more] = told.filter((each) => each.includes(one.runId));
  expect(more).toEqual([]);
  expect(line).toContain(`nothing answers at DOCKER_HOST=${host}`);
  expect(line).toContain(other.runId);
  for (const { runId, folder } of [one, other]) {
    expect(swept).not.toContain(runId);
    expect(existsSync(runFileOf(runId)), 'the note stays').toBe(true);
    expect(existsSync(folder), 'what is here is removed all the same').toBe(false);
  }
});

test('an engine that answers with errors has not said that nothing is left', async () => {
  const { host } = await engine((asked) => (asked === 'GET /containers/json' ? [500, { message: 'out of order' }] : undefined));
  const { runId } = deadRun(host);
  const told: string[] = [];
  expect(await sweepDead((line) => told.push(line))).not.toContain(runId);
  expect(told.find((line) => line.includes(runId))).toContain('out of order');
  expect(existsSync(runFileOf(runId))).toBe(true);
});

test('a sweep that breaks off has not said that nothing is left', async () => {
  const { host } = await engine();
  // Where others may write, no notes are looked for.
  const elsewhere = mkdtempSync(join(tmpdir(), 'hangup-test-'));
  mkdirSync(join(elsewhere, `hangup-${userInfo().uid}`));
  chmodSync(join(elsewhere, `hangup-${userInfo().uid}`), 0o777);
  const { runId, folder } = deadRun(host, { TMPDIR: elsewhere });
  const told: string[] = [];
  expect(await sweepDead((line) => told.push(line))).not.toContain(runId);
  expect(told.find((line) => line.includes(runId))).toContain('others may write to it');
  expect(existsSync(runFileOf(runId)), 'the note stays').toBe(true);
  for (const path of [elsewhere, folder]) rmSync(path, { recursive: true, force: true });
});

/** An engine that has nothing for so many lists, then what is named until it is removed. */
const comingLate = async (emptyLists: number, name: string): Promise<{ readonly host: string; readonly removed: () => boolean }> => {
  let lists = 0;
  let isRemoved = false;
  const { host } = await engine((asked) => {
    if (asked === 'GET /containers/json') return [200, (lists += 1) > emptyLists && !isRemoved ? [{ Id: 'c1', Names: [`/${name}`] }] : []];
    if (asked !== 'DELETE /containers/c1') return undefined;
    isRemoved = true;
    return [204];
  });
  return { host, removed: () => isRemoved };
};

test('what the engine was still making when its run was killed is waited for by the guard, and removed', async () => {
  const { host, removed } = await comingLate(5, 'hangup-c1');
  const { runId } = deadRun(host, {}, { 'hangup-c1': Date.now() + 60_000 });
  // As a guard does whose harness has gone: it reads what there is from the note.
  const guard = spawn(process.execPath, [...GUARD_FLAGS, GUARD_ENTRY, runId], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(guard, 'exit');
  expect(removed()).toBe(true);
  expect(existsSync(runFileOf(runId))).toBe(false);
});

test('a start does not wait for that: it says so, and the note stays for the next one, until it is too long ago', async () => {
  const { host } = await comingLate(Infinity, 'hangup-c1');
  const [made, madeLongAgo] = [deadRun(host, {}, { 'hangup-c1': Date.now() + 60_000 }), deadRun(host, { LANG: 'C' }, { 'hangup-c1': Date.now() - 1 })];
  const told: string[] = [];
  const swept = await sweepDead((line) => told.push(line));
  expect(swept).not.toContain(made.runId);
  expect(swept).toContain(madeLongAgo.runId);
  expect(told.find((line) => line.includes(made.runId))).toContain('hangup-c1 may still be being made');
  expect(existsSync(runFileOf(made.runId)), 'the note stays').toBe(true);
});

test('a removal that takes its time does not hold a start up for long', { timeout: 60_000 }, async () => {
  const { host } = await engine((asked) => {
    if (asked === 'GET /containers/json') return [200, [{ Id: 'c1', Names: ['/hangup-c1'] }]];
    return asked === 'DELETE /containers/c1' ? 'hang' : undefined;
  });
  const { runId } = deadRun(host);
  const told: string[] = [];
  const beganMs = Date.now();
  expect(await sweepDead((line) => told.push(line))).not.toContain(runId);
  expect(Date.now() - beganMs).toBeLessThan(25_000);
  expect(told.find((line) => line.includes(runId))).toContain('still at work on what is to be removed');
});
