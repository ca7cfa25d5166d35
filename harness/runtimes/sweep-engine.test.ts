// What a dead run left with an engine is asked of that engine, and is not forgotten before it has answered.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startEngineSocket } from './fixtures/engine-socket.ts';
import type { Answer, EngineSocket } from './fixtures/engine-socket.ts';
import { newRunId } from './fixtures/stage-plan.ts';
import { runFileOf, writeRunFile } from './run-files.ts';
import { placeHere } from './run-life.ts';
import { sweepDead } from './sweep-dead.ts';

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
const deadRun = (host: string, more: Readonly<Record<string, string>> = {}): { readonly runId: string; readonly folder: string } => {
  const [runId, folder] = [newRunId(), mkdtempSync(join(tmpdir(), 'hangup-test-'))];
  runs.push(runId);
  writeRunFile({ runId, folders: [folder], engine: true, engineAt: { DOCKER_HOST: host, ...more }, ...gone, harness: gone, place: placeHere() });
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
