// Asking a failing upstream again: only before anything was passed on, only for a client that is there,
// and within the header bound.
import { expect, test as plainTest } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import { createSetting } from '../fixtures/setting.ts';
import { never, until } from '../fixtures/until.ts';

const test = plainTest.concurrent;

const env = { RETRIES: '2', RETRY_DELAY_MS: '200' };

test.for(['fails-once', 'resets-once'] as const)('%s: asked again, and charged once', async (kind, { onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.a', kind);
  await until('the end mark', () => client.text().includes('[DONE]'), 5_000, client.text);
  expect(client.text().match(/HTTP\/1.1/g)).toHaveLength(1);
  expect(await terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'finished' });
  expect(router.charges('hx.a').map((charge) => charge.amount)).toEqual([3]);
  expect(upstream.legs).toHaveLength(2);
  expect(upstream.legs[0]!.closedAtMs, 'the first connection is not kept').not.toBeNull();
});

test('one that goes on failing: its last answer is passed on', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, env);
  const client = await openClient(router.port, 'hx.b', 'fails');
  await until('the answer', () => client.text().includes('overloaded'), 5_000, client.text);
  expect(client.text()).toMatch(/^HTTP\/1.1 503/);
  expect(await terminal('hx.b')).toMatchObject({ state: 'released', reason: 'upstream-refused' });
  expect(upstream.legs).toHaveLength(3);
});

test('without RETRIES it is asked once', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.c', 'fails-once');
  await until('the answer', () => client.text().startsWith('HTTP/1.1 503'), 5_000, client.text);
  await terminal('hx.c');
  expect(upstream.legs).toHaveLength(1);
});

test('one that is not there is tried until the attempts are used up', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, env);
  await upstream.stop();
  const client = await openClient(router.port, 'hx.d', 'finite');
  await until('the answer', () => client.text().startsWith('HTTP/1.1 502'), 5_000, client.text);
  expect(await terminal('hx.d')).toMatchObject({ state: 'released', reason: 'upstream-failed' });
  expect(router.log().match(/"upstream-retried"/g)).toHaveLength(2);
});

test.for(['refuses', 'breaks'] as const)('%s: is not asked again', async (kind, { onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, env);
  await openClient(router.port, 'hx.e', kind);
  await terminal('hx.e');
  await never('it was asked again', () => upstream.legs.length > 1, 700);
});

test.for(['fin', 'rst', 'halfClose'] as const)('it stops when the client leaves by %s', async (how, { onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished, { RETRIES: '10', RETRY_DELAY_MS: '400' });
  const client = await openClient(router.port, 'hx.f', 'fails');
  await until('a failure', () => router.log().includes('"upstream-retried"'), 5_000, router.log);
  client[how]();
  expect(await terminal('hx.f')).toMatchObject({ state: 'released', reason: 'client-left' });
  const asked = upstream.legs.length;
  await never('it was asked again', () => upstream.legs.length > asked, 1_200);
});

test('all attempts together have the header bound', async ({ onTestFinished }) => {
  const bounds = { RETRIES: '10', RETRY_DELAY_MS: '300', HEADER_MS: '1000' };
  const { router, upstream, terminal } = await createSetting(onTestFinished, bounds);
  const client = await openClient(router.port, 'hx.g', 'fails');
  await until('the answer', () => client.text().startsWith('HTTP/1.1 504'), 5_000, client.text);
  expect(await terminal('hx.g')).toMatchObject({ state: 'released', reason: 'header-timeout' });
  const asked = upstream.legs.length;
  expect(asked).toBeGreaterThan(1);
  await never('it was asked again', () => upstream.legs.length > asked, 700);
});
