// A wait that breaks off says nothing about the system: the container does, when it is looked at.
import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { nowMs } from '../model/time.ts';
import { watchEnd } from './docker-end.ts';
import { createDelivery } from './docker-signals.ts';
import { createExitWatch } from './exit-watch.ts';
import { engineOfTest } from './fixtures/engine-of-test.ts';
import type { Answer } from './fixtures/engine-socket.ts';
import { eventually } from './fixtures/wait.ts';
import { wallAheadMs } from './wall-clock.ts';

type State = { readonly Running: boolean; readonly ExitCode?: number; readonly FinishedAt?: string };
/** What each container is, and what becomes of a wait for it. */
const states = new Map<string, State | Answer>();
const waits = new Map<string, Answer[]>();
/** To signals. */
const answers = new Map<string, Answer>([['hears', [204]], ['fails', [500, { message: 'out of order' }]]]);
const answer = (asked: string): Answer | undefined => {
  const [, id = '', what = ''] = /^\w+ \/containers\/([^/]+)\/(\w+)$/.exec(asked) ?? [];
  const state = states.get(id);
  if (state === undefined) return undefined;
  if (what === 'kill') return answers.get(id) ?? [409, { message: `Container ${id} is not running` }];
  if (what === 'wait') return waits.get(id)?.shift() ?? (state === 'cut' ? 'cut' : 'hang');
  return typeof state === 'string' || typeof state === 'function' || Array.isArray(state) ? (state as Answer) : [200, { State: state }];
};

const { engine, socket, close } = await engineOfTest(answer);
afterAll(close);

const start = (id: string, { isAway = false, steppedMs = 0 } = {}) => {
  const watch = createExitWatch();
  const since = { atMs: nowMs() - 60_000, aheadMs: wallAheadMs() - steppedMs };
  return { watch, look: watchEnd(engine.getContainer(id), watch, { since, isAway }) };
};
/** As engines do: they answer at once, and say more when it has ended. */
const begun = (then: (response: ServerResponse) => void = () => {}): Answer => (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  then(response);
};
const CUT_BEGUN = begun((response) => void setTimeout(() => response.destroy(), 10));
const waited = (id: string, times: number): Promise<unknown> =>
  eventually(`${times} waits for ${id}`, () => socket.asked.filter((asked) => asked === `POST /containers/${id}/wait`).length >= times);

test('a wait that is cut while the container runs is asked again, and the end is what the last one says', async () => {
  states.set('cut', { Running: true });
  waits.set('cut', ['cut', 'cut', 'hang']);
  const { watch } = start('cut');
  await waited('cut', 3);
  expect(watch.hasExited()).toBe(false);
});

test('a wait that is cut by the engine that was stopped with its containers: what it says afterwards is how it ended', async () => {
  states.set('ended', { Running: false, ExitCode: 143, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  waits.set('ended', ['cut']);
  const { watch } = start('ended');
  const { code, signal, atMs } = await watch.exited;
  expect([code, signal]).toEqual([143, 'SIGTERM']);
  const agoMs = nowMs() - atMs;
  expect(agoMs, "the engine's own stamp").toBeGreaterThan(4_500);
  expect(agoMs).toBeLessThan(20_000);
});

test('an engine that does not answer either has not said that it ended; only one that has it no more has', async () => {
  states.set('silent', 'cut');
  const { watch } = start('silent');
  await waited('silent', 2);
  expect(watch.hasExited()).toBe(false);
  states.delete('silent');
  expect(await watch.exited).toMatchObject({ code: null, signal: null });
});

test('the answer of a wait is stamped when the engine saw the end, not when the answer came', async () => {
  states.set('late', { Running: false, ExitCode: 3, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  waits.set('late', [[200, { StatusCode: 3 }]]);
  const { watch } = start('late');
  const { code, atMs } = await watch.exited;
  expect(code).toBe(3);
  expect(nowMs() - atMs).toBeGreaterThan(4_500);
});

test.each([['a clock that is not ours', true, 5_000], ['a time before it was started', false, 3_600_000], ['a time that is yet to come', false, -3_600_000]])(
  '%s is no stamp of ours',
  async (name, isAway, agoMs) => {
    const id = `clock${agoMs}`;
    states.set(id, { Running: false, ExitCode: 0, FinishedAt: new Date(Date.now() - agoMs).toISOString() });
    waits.set(id, [[200, { StatusCode: 0 }]]);
    const beganMs = nowMs();
    const { watch } = start(id, { isAway });
    const { atMs } = await watch.exited;
    expect(atMs, name).toBeGreaterThanOrEqual(beganMs);
    expect(atMs).toBeLessThanOrEqual(nowMs());
  },
);

test('a signal that the engine refuses reached nobody, and the end that it had not told yet is known then', async () => {
  states.set('refused', { Running: false, ExitCode: 139, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  const { watch, look } = start('refused');
  const container = engine.getContainer('refused');
  const sentMs = nowMs();
  expect(await createDelivery({ container, init: false }, watch, null, look)('SIGKILL')).toBe(false);
  expect(watch.hasExited()).toBe(true);
  expect((await watch.exited).atMs).toBeLessThan(sentMs);
  expect(await createDelivery({ container, init: false }, watch, null, look)('SIGKILL')).toBe(false);
});

test('who heard a signal had not ended before it, whatever the stamp of its end says', async () => {
  states.set('hears', { Running: false, ExitCode: 0, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  const { watch, look } = start('hears');
  const sentMs = nowMs();
  expect(await createDelivery({ container: engine.getContainer('hears'), init: false }, watch, null, look)('SIGTERM')).toBe(true);
  expect(await look()).toBe('ended');
  expect((await watch.exited).atMs).toBeGreaterThanOrEqual(sentMs);
});

test.each([['took', 204, true], ['refused', 409, false]] as const)('an end that is learnt before it is known that the engine %s a signal', async (word, status, isHeard) => {
  const id = `slowly-${word}`;
  const signalled = Promise.withResolvers<() => void>();
  answers.set(id, (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    signalled.resolve(() => response.end(status === 204 ? undefined : JSON.stringify({ message: 'is not running' })));
  });
  states.set(id, { Running: false, ExitCode: 0, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  const { watch, look } = start(id);
  const sentMs = nowMs();
  const heard = createDelivery({ container: engine.getContainer(id), init: false }, watch, null, look)('SIGTERM');
  const answer = await signalled.promise;
  expect(await look()).toBe('ended');
  answer();
  expect(await heard).toBe(isHeard);
  expect((await watch.exited).atMs >= sentMs).toBe(isHeard);
});

test('a wall clock that was put forward since the start puts no end before its time', async () => {
  states.set('stepped', { Running: false, ExitCode: 0, FinishedAt: new Date(Date.now() - 5_000).toISOString() });
  waits.set('stepped', [[200, { StatusCode: 0 }]]);
  const beganMs = nowMs();
  const { watch } = start('stepped', { steppedMs: 5_000 });
  const { atMs } = await watch.exited;
  expect(atMs).toBeGreaterThanOrEqual(beganMs - 1_000);
  expect(atMs).toBeLessThanOrEqual(nowMs());
});

test('one that the engine takes was heard; what it fails at is thrown', async () => {
  const watch = createExitWatch();
  const deliver = (id: string) => createDelivery({ container: engine.getContainer(id), init: false }, watch, null);
  states.set('hears', { Running: true });
  states.set('fails', { Running: true });
  expect(await deliver('hears')('SIGTERM')).toBe(true);
  await expect(deliver('fails')('SIGTERM')).rejects.toThrow('out of order');
});

test('a code that was told is not forgotten because the container was removed right after', async () => {
  waits.set('removed', [[200, { StatusCode: 0 }]]);
  states.set('removed', [404, { message: 'No such container: removed' }]);
  const { watch } = start('removed');
  expect(await watch.exited).toMatchObject({ code: 0, signal: null });
});

test('nor is one that is on its way while somebody else finds the container gone', async () => {
  let tell = (): void => {};
  waits.set('gone', [(response) => (tell = () => void response.end(JSON.stringify({ StatusCode: 0 })))]);
  states.set('gone', (response: ServerResponse) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ message: 'No such container: gone' }), () => setImmediate(tell));
  });
  const { watch, look } = start('gone');
  await waited('gone', 1);
  expect(await look()).toBe('ended');
  expect(await watch.exited).toMatchObject({ code: 0, signal: null });
});

test('where the connection was dropped without a sign, looking tells', async () => {
  states.set('dropped', { Running: true });
  const { watch, look } = start('dropped');
  expect(await look()).toBe('running');
  states.set('dropped', { Running: false, ExitCode: 139 });
  expect(await look()).toBe('ended');
  expect(await watch.exited).toMatchObject({ code: 139, signal: 'SIGSEGV' });
});

test.each([true, false])('a wait that is cut after its head is asked again, and the end is not missed (an engine that is away: %s)', async (isAway) => {
  const id = `begun${isAway}`;
  states.set(id, { Running: true });
  waits.set(id, [CUT_BEGUN, CUT_BEGUN, begun((response) => void setTimeout(() => {
    states.set(id, { Running: false, ExitCode: 3 });
    response.end(JSON.stringify({ StatusCode: 3 }));
  }, 10))]);
  const { watch } = start(id, { isAway });
  expect(await watch.exited).toMatchObject({ code: 3, signal: null });
  expect(waits.get(id)).toEqual([]);
});

test.each([true, false])('one that had ended when its wait was cut after its head is known to have (an engine that is away: %s)', async (isAway) => {
  const id = `over${isAway}`;
  states.set(id, { Running: false, ExitCode: 143, FinishedAt: new Date().toISOString() });
  waits.set(id, [CUT_BEGUN]);
  const { watch } = start(id, { isAway });
  expect(await watch.exited).toMatchObject({ code: 143, signal: 'SIGTERM' });
});

test.each([true, false])('where the wait was dropped without a sign, the end is seen without anybody asking for it (an engine that is away: %s)', async (isAway) => {
  const id = `lost${isAway}`;
  states.set(id, { Running: true });
  waits.set(id, [begun()]);
  const { watch } = start(id, { isAway });
  await waited(id, 1);
  states.set(id, { Running: false, ExitCode: 139 });
  expect(await watch.exited).toMatchObject({ code: 139, signal: 'SIGSEGV' });
});

test.each([true, false])('a wait that could not be waited to its end is asked again, whatever code it gives (an engine that is away: %s)', async (isAway) => {
  const id = `broke${isAway}`;
  states.set(id, { Running: true });
  waits.set(id, [[200, { StatusCode: -1, Error: { Message: 'context canceled' } }], 'hang']);
  const { watch } = start(id, { isAway });
  await waited(id, 2);
  expect(watch.hasExited()).toBe(false);
});

test('one that is seen running has not ended, whatever code was given', async () => {
  states.set('alive', { Running: true });
  waits.set('alive', [[200, { StatusCode: 0 }], 'hang']);
  const { watch } = start('alive');
  await waited('alive', 2);
  expect(watch.hasExited()).toBe(false);
});
