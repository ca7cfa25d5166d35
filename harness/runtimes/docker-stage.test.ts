// A stage on an engine that is away, which answers as engines do, now and then not: what fails once is tried again, what is refused is not,
// and what is not heard any more is not taken for silence of who was watched.
import { rmSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { onLines } from '../model/lines.ts';
import { createScope } from '../model/scope.ts';
import { nowMs } from '../model/time.ts';
import { limitCalls } from './engine-limit.ts';
import { openDockerStage } from './docker-stage.ts';
import { wireActors } from './docker-wire.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import type { Answer } from './fixtures/engine-socket.ts';
import { testPlan } from './fixtures/stage-plan.ts';
import type { TestPlan } from './fixtures/stage-plan.ts';
import { eventually } from './fixtures/wait.ts';
import { runFileOf } from './run-files.ts';

/** What becomes of what is asked, in turn. */
const answers = new Map<string, Answer[]>();

const frame = (line: object): Buffer => {
  const body = Buffer.from(`${JSON.stringify(line)}\n`);
  const head = Buffer.alloc(8);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
};

/** A stage's host, which does all that it is told, or nothing from some time on. */
const host = { isDeaf: false };
const speak = (stream: Duplex): void => {
  const answer = (line: string): void => {
    // The first one begins behind what the connection was asked for with.
    const { id } = JSON.parse(line.slice(line.indexOf('{"id"'))) as { readonly id: number };
    if (!host.isDeaf) stream.write(frame({ re: id, ok: true, value: { notes: [] } }));
  };
  onLines(stream, answer, () => stream.end());
};

const own = await engineOfTest((asked) => {
  const given = answers.get(asked)?.shift();
  if (given !== undefined) return given;
  if (asked === 'POST /volumes/create') return [201, { Name: 'v' }];
  if (asked === 'POST /containers/create') return [201, { Id: 'c' }];
  if (asked === 'POST /containers/c/start') return [204];
  // Its pid is none of ours.
  if (asked === 'GET /containers/c/json') return [200, { State: { Running: true, Pid: 0 } }];
  return asked.startsWith('DELETE ') ? [204] : undefined;
}, speak);
const plans: TestPlan[] = [];
afterAll(() => {
  // Their guards would ask this engine once more.
  for (const { runId } of plans) rmSync(runFileOf(runId), { force: true });
  own.close();
});
beforeEach(() => {
  answers.clear();
  host.isDeaf = false;
});

/** The same socket as another engine: what is known of one is not known of it. */
const anotherEngine = (): typeof own.engine => limitCalls(Object.create(own.engine) as typeof own.engine);
const open = async (engine: typeof own.engine) => {
  const plan = testPlan();
  plans.push(plan);
  const scope = createScope();
  try {
    return { plan, scope, stage: await openDockerStage(engine, 'image', plan, scope, async () => 'image') };
  } catch (error) {
    await scope.close();
    throw error;
  }
};
const viewOf = async (engine: typeof own.engine): Promise<{ readonly view: string; readonly failures: readonly string[] }> => {
  const { stage, scope, plan } = await open(engine);
  await scope.close();
  return { view: stage.processView, failures: plan.failures };
};

test('a stage that could not be made once says nothing about what the engine allows', async () => {
  const engine = anotherEngine();
  answers.set('POST /containers/create', [[201, { Id: 'c' }], 'cut']);
  answers.set('DELETE /containers/c', []);
  await expect(open(engine)).rejects.toMatchObject({ problems: [{ code: 'stage-not-opened' }] });
  expect(await viewOf(engine)).toEqual({ view: 'stage', failures: [] });
});

test('what it fails at once is done without, and tried again by the next', async () => {
  const engine = anotherEngine();
  answers.set('POST /containers/c/start', [[204], [500, { message: 'out of order' }]]);
  expect(await viewOf(engine)).toEqual({ view: 'none', failures: [] });
  expect(await viewOf(engine)).toEqual({ view: 'stage', failures: [] });
});

test('what it refuses is not asked for again', async () => {
  const engine = anotherEngine();
  answers.set('POST /containers/create', [[201, { Id: 'c' }], [403, { message: 'the host\'s processes are not for you' }]]);
  expect(await viewOf(engine)).toEqual({ view: 'none', failures: [] });
  const created = own.socket.asked.filter((asked) => asked === 'POST /containers/create').length;
  expect(await viewOf(engine)).toEqual({ view: 'none', failures: [] });
  expect(own.socket.asked.filter((asked) => asked === 'POST /containers/create')).toHaveLength(created + 1);
});

test('where the connection was dropped without a sign, the record ends with what was heard last', async () => {
  const since: (number | undefined)[] = [];
  const plan = testPlan();
  const stream = await own.engine.getContainer('c').attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true });
  const wired = wireActors(own.engine, stream, { ...plan, onActorFailed: (process, error, atMs) => (plan.failures.push(`${process}: ${error}`), since.push(atMs)) }, 20);
  await wired.link.send('stage', { do: 'ping' });
  const heardMs = nowMs();
  await eventually('the silence', () => plan.failures.length > 0);
  expect(plan.failures).toEqual(['stage: nothing is heard of it any more']);
  expect(since[0]).toBeLessThanOrEqual(heardMs);
  await expect(wired.link.send('stage', { do: 'ping' })).rejects.toThrow('nothing is heard of it any more');
});

test('one that does not answer at its end was not heard to its end', async () => {
  const { plan, scope } = await open(own.engine);
  host.isDeaf = true;
  expect(plan.failures).toEqual([]);
  await scope.close();
  expect(plan.failures).toEqual([expect.stringContaining('stage: stage did not answer ping')]);
});
