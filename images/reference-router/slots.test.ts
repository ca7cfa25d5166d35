// Places with the upstream: nobody overtakes, nobody waits for what is free, and whoever leaves the
// queue is never sent.
import { describe, expect, test } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { createSetting } from './fixtures/setting.ts';
import { never, until } from './fixtures/until.ts';
import { createSlots } from './slots.ts';

test('first come, first served; who leaves the queue is passed over', () => {
  const slots = createSlots(1, 3);
  const granted: number[] = [];
  const taken = [0, 1, 2, 3].map((n) => {
    const slot = slots.take()!;
    slot.onGranted(() => granted.push(n));
    return slot;
  });
  expect(slots.take()).toBeNull();
  expect(slots.counts()).toEqual({ taken: 1, waiting: 3 });
  taken[1]!.release();
  taken[0]!.release();
  taken[0]!.release();
  expect(granted).toEqual([0, 2]);
  taken[2]!.release();
  taken[3]!.release();
  expect(granted).toEqual([0, 2, 3]);
  expect(slots.counts()).toEqual({ taken: 0, waiting: 0 });
});

test('a place that is granted before anybody listens is not lost', () => {
  const slots = createSlots(1, 1);
  const first = slots.take()!;
  const second = slots.take()!;
  first.release();
  let isGranted = false;
  second.onGranted(() => (isGranted = true));
  expect(isGranted).toBe(true);
});

test('without a limit nobody waits', () => {
  const slots = createSlots(0, 0);
  expect(Array.from({ length: 50 }, () => slots.take())).not.toContain(null);
});

const ONE = { MAX_CONCURRENT: '1', MAX_QUEUE: '1' };

describe.concurrent('the queue', () => {
  test('a request waits for its place, and is served when it is free', async ({ onTestFinished }) => {
    const { router, upstream, requested, terminal, status } = await createSetting(onTestFinished, ONE);
    const first = await openClient(router.port, 'hx.a', 'endless');
    await requested('hx.a');
    const second = await openClient(router.port, 'hx.b', 'finite');
    await status('"queued"');
    await never('it was sent', () => upstream.leg('hx.b') !== undefined, 500);
    expect(router.row('hx.b')).toMatchObject({ state: 'active' });
    first.rst();
    await until('the end mark', () => second.text().includes('[DONE]'));
    expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'finished' });
  });

  test.for(['fin', 'rst', 'halfClose'] as const)('who leaves by %s while waiting is never sent, and owes nothing', async (how, context) => {
    const { router, upstream, requested, terminal, status } = await createSetting(context.onTestFinished, ONE);
    const first = await openClient(router.port, 'hx.a', 'endless');
    await requested('hx.a');
    const second = await openClient(router.port, 'hx.b', 'finite');
    await status('"queued"');
    second[how]();
    expect(await terminal('hx.b')).toMatchObject({ state: 'released', reason: 'client-left' });
    const third = await openClient(router.port, 'hx.c', 'finite');
    await status('"queued"');
    first.rst();
    await until('the third to be served', () => third.text().includes('[DONE]'));
    expect(upstream.leg('hx.b')).toBeUndefined();
    expect(router.charges('hx.b')).toEqual([]);
  });

  test('a full queue is said at once, and the ledger is not asked', async ({ onTestFinished }) => {
    const { router, requested, status } = await createSetting(onTestFinished, ONE);
    await openClient(router.port, 'hx.a', 'endless');
    await requested('hx.a');
    await openClient(router.port, 'hx.b', 'finite');
    await status('"queued"');
    const third = await openClient(router.port, 'hx.c', 'finite');
    await until('the answer', () => /^HTTP\/1.1 429[^]*retry-after[^]*queue-full/.test(third.text()), 5_000, third.text);
    expect(router.row('hx.c')).toBeUndefined();
  });

  test('waiting counts towards the header bound', async ({ onTestFinished }) => {
    const { router, upstream, requested, terminal } = await createSetting(onTestFinished, { ...ONE, HEADER_MS: '700' });
    await openClient(router.port, 'hx.a', 'endless');
    await requested('hx.a');
    const second = await openClient(router.port, 'hx.b', 'finite');
    await until('the answer', () => second.text().startsWith('HTTP/1.1 504'), 5_000, second.text);
    expect(await terminal('hx.b')).toMatchObject({ state: 'released', reason: 'header-timeout' });
    expect(upstream.leg('hx.b')).toBeUndefined();
  });

  test('each way to leave gives the place back', async ({ onTestFinished }) => {
    const { router, requested, terminal } = await createSetting(onTestFinished, { MAX_CONCURRENT: '2' });
    for (const [index, how] of (['fin', 'rst', 'halfClose', 'fin', 'rst', 'halfClose'] as const).entries()) {
      const client = await openClient(router.port, `hx.${index}`, index % 2 === 0 ? 'endless' : 'header-wait');
      await requested(`hx.${index}`);
      client[how]();
      await terminal(`hx.${index}`);
    }
    const healthy = await openClient(router.port, 'hx.healthy', 'finite');
    await until('the end mark', () => healthy.text().includes('[DONE]'));
  });

  test('a shutdown sends nobody on who is still waiting', async ({ onTestFinished }) => {
    const { router, upstream, requested, status } = await createSetting(onTestFinished, { ...ONE, SHUTDOWN_MS: '5000' });
    await openClient(router.port, 'hx.a', 'slow-finite');
    await requested('hx.a');
    const second = await openClient(router.port, 'hx.b', 'finite');
    await status('"queued"');
    router.signal('SIGTERM');
    await until('the one that waits to be told', () => second.text().startsWith('HTTP/1.1 503'), 5_000, second.text);
    expect(await router.exited).toEqual({ code: 0, signal: null });
    expect(router.row('hx.a')).toMatchObject({ state: 'charged', reason: 'finished' });
    expect(router.row('hx.b')).toMatchObject({ state: 'released', reason: 'shutdown' });
    expect(upstream.leg('hx.b')).toBeUndefined();
  });
});
