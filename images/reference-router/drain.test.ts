// ON_DISCONNECT=drain: who leaves during an answer is charged what the upstream itself counts, and the
// upstream is not read for longer than the bound.
import { expect, test as plainTest } from 'vitest';
import { openClient } from './fixtures/client.ts';
import { createSetting } from './fixtures/setting.ts';
import { until } from './fixtures/until.ts';

const test = plainTest.concurrent;

const env = { ON_DISCONNECT: 'drain' };

test.for(['fin', 'rst', 'halfClose'] as const)('who leaves by %s is charged the usage', async (how, { onTestFinished }) => {
  const { router, upstream, terminal, status, closedUpstream } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.a', 'slow-finite');
  await until('an event', () => client.events() > 0);
  client[how]();
  await status('"draining"');
  expect(upstream.leg('hx.a')!.closedAtMs).toBeNull();
  expect(await terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'client-left' });
  expect(router.charges('hx.a').map((charge) => charge.amount)).toEqual([10]);
  await closedUpstream('hx.a');
  expect(router.account()).toMatchObject({ reserved: 0, spent: 10 });
});

test('it is bounded: what was written until then is charged', async ({ onTestFinished }) => {
  const { router, upstream, terminal, closedUpstream } = await createSetting(onTestFinished, { ...env, DRAIN_MS: '800' });
  const client = await openClient(router.port, 'hx.b', 'endless');
  await until('an event', () => client.events() > 0);
  const received = client.events();
  client.rst();
  expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'drain-timeout' });
  await closedUpstream('hx.b');
  expect(router.charges('hx.b')[0]!.amount).toBeGreaterThan(received + 5);
  expect(router.charges('hx.b')[0]!.amount).toBeLessThanOrEqual(upstream.leg('hx.b')!.events);
});

test('one that was blocked is drained from where it stood', async ({ onTestFinished }) => {
  const bounds = { ...env, READ_MS: '1500', PROGRESS_MS: '1500', DRAIN_MS: '1000', RESERVE: '9000' };
  const { router, terminal, status } = await createSetting(onTestFinished, bounds);
  const client = await openClient(router.port, 'hx.c', 'flood', { reads: false });
  await status('"blocked"');
  // Longer than the bounds that rest meanwhile.
  const blockedAtMs = performance.now();
  await until('the bounds to be over, were they not resting', () => performance.now() > blockedAtMs + 2_000);
  expect(router.row('hx.c')).toMatchObject({ state: 'active' });
  client.rst();
  expect(await terminal('hx.c')).toMatchObject({ state: 'charged', reason: expect.stringMatching(/drain-timeout|client-left/) });
});

test('before the answer has begun there is nothing to drain', async ({ onTestFinished }) => {
  const { router, terminal, requested, closedUpstream } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.d', 'header-wait');
  await requested('hx.d');
  client.fin();
  await closedUpstream('hx.d');
  expect(await terminal('hx.d')).toMatchObject({ state: 'released', reason: 'client-left' });
});

test('an answer that is not streamed is drained as well', async ({ onTestFinished }) => {
  const { router, terminal, closedUpstream } = await createSetting(onTestFinished, { ...env, DRAIN_MS: '500' });
  const client = await openClient(router.port, 'hx.e', 'json-endless', { stream: false });
  await until('a part of it', () => client.text().includes('hx.e '));
  client.fin();
  expect(await terminal('hx.e')).toMatchObject({ state: 'released', reason: 'drain-timeout' });
  await closedUpstream('hx.e');
});
