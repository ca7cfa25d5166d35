// The routes of each API, streamed and whole: passed on as they are, charged by the upstream's own
// count, cut in the API's own words, and stopped when the client leaves.
import { describe, expect, test } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import { createSetting } from '../fixtures/setting.ts';
import { never, until } from '../fixtures/until.ts';

const CHAT = '/v1/chat/completions';
const PATHS = [CHAT, '/v1/responses', '/v1/messages'] as const;
const END_MARKS = { [CHAT]: '[DONE]', '/v1/responses': 'response.completed', '/v1/messages': 'message_stop' } as const;

describe.concurrent.each(PATHS)('%s', (path) => {
  test('streamed to its end: charged by the usage, and the path passed on', async ({ onTestFinished }) => {
    const { router, upstream, terminal } = await createSetting(onTestFinished);
    const client = await openClient(router.port, 'hx.a', 'finite', { path });
    await until('the end mark', () => client.text().includes(END_MARKS[path]) && client.text().endsWith('0\r\n\r\n'), 5_000, client.text);
    expect(await terminal('hx.a')).toMatchObject({ state: 'charged', reason: 'finished' });
    expect(router.charges('hx.a').map((charge) => charge.amount)).toEqual([3]);
    expect(client.events()).toBe(3);
    expect(upstream.legs).toHaveLength(1);
  });

  test('a client that leaves is charged what was delivered', async ({ onTestFinished }) => {
    const { router, upstream, terminal, closedUpstream } = await createSetting(onTestFinished);
    const client = await openClient(router.port, 'hx.b', 'endless', { path });
    await until('three events', () => client.events() >= 3, 5_000, client.text);
    const received = client.events();
    client.halfClose();
    await closedUpstream('hx.b');
    expect(await terminal('hx.b')).toMatchObject({ state: 'charged', reason: 'client-left' });
    expect(router.charges('hx.b')[0]!.amount).toBeGreaterThanOrEqual(received);
    expect(router.charges('hx.b')[0]!.amount).toBeLessThanOrEqual(upstream.leg('hx.b')!.events);
  });

  test('what keeps the connection warm is no progress; the client is told, and no end mark comes', async ({ onTestFinished }) => {
    const { router, terminal, closedUpstream } = await createSetting(onTestFinished, { PROGRESS_MS: '700' });
    const client = await openClient(router.port, 'hx.c', 'comments', { path });
    await until('the client to be told', () => client.text().includes('progress-timeout') && client.ended() !== null, 5_000, client.text);
    await closedUpstream('hx.c');
    expect(await terminal('hx.c')).toMatchObject({ state: 'charged', reason: 'progress-timeout' });
    expect(client.text()).not.toContain(END_MARKS[path]);
    expect(client.text().endsWith('0\r\n\r\n')).toBe(false);
    if (path !== CHAT) expect(client.text()).toContain('event: error\n');
  });

  test('before the head an error is a document of the API', async ({ onTestFinished }) => {
    const { router, terminal } = await createSetting(onTestFinished, { HEADER_MS: '500' });
    const client = await openClient(router.port, 'hx.d', 'header-wait', { path });
    await until('the answer', () => client.text().includes('header-timeout'), 5_000, client.text);
    expect(client.text()).toContain(path === '/v1/messages' ? '{"type":"error","error":{' : '{"error":{');
    await terminal('hx.d');
    expect(router.charges('hx.d')).toEqual([]);
  });

  test('whole: charged by its usage', async ({ onTestFinished }) => {
    const { router, terminal } = await createSetting(onTestFinished);
    const client = await openClient(router.port, 'hx.e', 'json', { path, stream: false });
    await until('the answer', () => client.text().includes('_tokens'), 5_000, client.text);
    expect(await terminal('hx.e')).toMatchObject({ state: 'charged', reason: 'finished' });
    expect(router.charges('hx.e').map((charge) => charge.amount)).toEqual([7]);
  });

  const WHOLE = ['header-wait', 'json-endless'] as const;
  test.for(WHOLE)('whole, %s: a leave is noticed, and half a document is free', async (kind, { onTestFinished }) => {
    const { router, terminal, requested, closedUpstream } = await createSetting(onTestFinished);
    const client = await openClient(router.port, 'hx.f', kind, { path, stream: false });
    await requested('hx.f');
    if (kind === 'json-endless') await until('a part of it', () => client.text().includes('hx.f '), 5_000, client.text);
    client.fin();
    await closedUpstream('hx.f');
    expect(await terminal('hx.f')).toMatchObject({ state: 'released', reason: 'client-left' });
    expect(router.charges('hx.f')).toEqual([]);
  });
});

test('whole and cut: the document ends without its last chunk', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished, { LIFETIME_MS: '700' });
  const client = await openClient(router.port, 'hx.g', 'json-endless', { stream: false });
  await until('the end', () => client.ended() !== null, 5_000, client.text);
  expect(client.text().endsWith('0\r\n\r\n')).toBe(false);
  expect(await terminal('hx.g')).toMatchObject({ state: 'released', reason: 'lifetime-exceeded' });
});

test('the key may come as x-api-key; the upstream never sees it', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished);
  const answer = await fetch(`http://127.0.0.1:${router.port}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'sk-test' },
    body: JSON.stringify({ model: 'finite', metadata: { user_id: 'hx.h' } }),
  });
  expect(await answer.text()).toContain('message_stop');
  await terminal('hx.h');
  expect(upstream.leg('hx.h')!.head).not.toContain('sk-test');
  await never('it was charged twice', () => router.charges('hx.h').length > 1, 300);
});
