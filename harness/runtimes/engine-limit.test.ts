// An engine that hangs is not waited for without end, whatever it was asked for; what lasts by its nature is.
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createScope } from '../model/scope.ts';
import { openDockerStage } from './docker-stage.ts';
import { createDelivery } from './docker-signals.ts';
import { systemPids } from './docker-processes.ts';
import { limitCalls } from './engine-limit.ts';
import { createExitWatch } from './exit-watch.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import { testPlan } from './fixtures/stage-plan.ts';
import { runFileOf } from './run-files.ts';

const LIMIT_MS = 200;
const LASTING_MS = 400;
/** What this engine does before it hangs. */
const works = new Set<string>();

let hangs = false;
const own = await engineOfTest((asked) => (hangs && !works.has(asked) ? 'hang' : undefined));
const engine = limitCalls(own.engine, LIMIT_MS, LASTING_MS);
hangs = true;
const plan = testPlan();
const scope = createScope();
afterAll(async () => {
  await scope.close();
  // Its guard would ask this engine once more.
  rmSync(runFileOf(plan.runId), { force: true });
  own.close();
});

const failed = (what: string, limitMs = LIMIT_MS) => ({ problems: [{ family: 'environment', code: 'engine-failed', message: `the container engine did not answer ${what} within ${limitMs} ms` }] });

test.each<[string, () => Promise<unknown>, string]>([
  ['a signal', () => createDelivery({ container: engine.getContainer('c'), init: false }, createExitWatch(), null)('SIGTERM'), 'POST /containers/c/kill'],
  ['a freeze', () => createDelivery({ container: engine.getContainer('c'), init: true }, createExitWatch(), null)('SIGSTOP'), 'POST /containers/c/pause'],
  ['a look at processes', () => systemPids([{ container: engine.getContainer('c'), init: false }]), 'GET /containers/c/json'],
  ['a stage', () => openDockerStage(engine, 'image', plan, scope, async () => ''), 'POST /volumes/create'],
  ['standard streams', () => engine.getContainer('c').attach({ stream: true, hijack: true, stdin: true }), 'POST /containers/c/attach'],
  ['a log', () => engine.getContainer('c').logs({ follow: true, stdout: true }), 'GET /containers/c/logs'],
])('%s', async (_, call, what) => {
  await expect(call()).rejects.toMatchObject(failed(what));
});

test.each<[string, () => Promise<unknown>, string]>([
  ['making a container', () => engine.createContainer({ name: 'c', Image: 'i' }), 'POST /containers/create'],
  ['removing one', () => engine.getContainer('c').remove({ force: true, v: true }), 'DELETE /containers/c'],
  ['removing a volume', () => engine.getVolume('v').remove({ force: true }), 'DELETE /volumes/v'],
])('%s may last longer, but not without end', async (_, call, what) => {
  await expect(call()).rejects.toMatchObject(failed(what, LASTING_MS));
});

test('a wait for an end goes on for as long as the container lives', async () => {
  const ended = engine.getContainer('c').wait().then(() => 'ended', () => 'failed');
  // Asked after it, and given up.
  await expect(engine.getContainer('c').inspect()).rejects.toMatchObject(failed('GET /containers/c/json'));
  expect(await Promise.race([ended, Promise.resolve('waits')])).toBe('waits');
});

test('what is answered is not touched', async () => {
  works.add('GET /containers/json');
  expect(await engine.listContainers()).toEqual([]);
});
