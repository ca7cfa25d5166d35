// The same request sent twice is billed once, where it names itself.
import { expect, test as plainTest } from 'vitest';
import { createHash } from 'node:crypto';
import { openClient } from './fixtures/client.ts';
import { createSetting } from './fixtures/setting.ts';
import { until } from './fixtures/until.ts';

const test = plainTest.concurrent;

const ask = async (port: number, marker: string, model: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': 'Bearer sk-test', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, user: marker, stream: true, messages: [] }),
  });
  return { status: response.status, text: await response.text() };
};

test('by its Idempotency-Key: refused while it is served and once it was charged, and never sent again', async ({ onTestFinished }) => {
  const { router, upstream, terminal } = await createSetting(onTestFinished);
  const key = { 'idempotency-key': 'hx-1' };
  const first = ask(router.port, 'hx.a', 'slow-finite', key);
  await until('the first to be served', () => upstream.leg('hx.a'));
  const during = await ask(router.port, 'hx.a', 'slow-finite', key);
  expect(during).toMatchObject({ status: 409, text: expect.stringContaining('request-in-progress') });
  expect((await first).text).toContain('[DONE]');
  await terminal('hx.a');
  const after = await ask(router.port, 'hx.b', 'finite', key);
  expect(after).toMatchObject({ status: 409, text: expect.stringContaining('request-already-billed') });
  expect(upstream.legs).toHaveLength(1);
  expect(router.charges('hx.a').map(({ amount }) => amount)).toEqual([10]);
  expect(router.account()).toMatchObject({ balance: 9_990, reserved: 0 });
});

test('without a name it is another request', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished);
  for (let n = 0; n < 2; n += 1) expect((await ask(router.port, 'hx.a', 'finite')).status).toBe(200);
  await until('two charges', () => router.charges('hx.a').length === 2);
});

test('by its marker, where that is configured; another account may use the same name', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished, { IDEMPOTENCY: 'marker' });
  router.sql(`INSERT INTO accounts (id, key_hash, balance) VALUES ('b', '${createHash('sha256').update('sk-b').digest('hex')}', 500)`);
  expect((await ask(router.port, 'hx.a', 'finite')).status).toBe(200);
  await terminal('hx.a');
  expect((await ask(router.port, 'hx.a', 'finite')).status).toBe(409);
  expect((await ask(router.port, 'hx.a', 'finite', { authorization: 'Bearer sk-b' })).status).toBe(200);
  await until('a charge of each', () => router.charges('hx.a').length === 2);
  expect(router.account()).toMatchObject({ spent: 3 });
});

test('what came to nothing may be tried again, and is billed then', async ({ onTestFinished }) => {
  const { router, requested } = await createSetting(onTestFinished, { IDEMPOTENCY: 'marker' });
  const client = await openClient(router.port, 'hx.a', 'header-wait');
  await requested('hx.a');
  client.rst();
  await until('the first to be released', () => router.row('hx.a')!.state === 'released');
  expect((await ask(router.port, 'hx.a', 'finite')).status).toBe(200);
  await until('one charge', () => router.charges('hx.a').length === 1);
  expect((await ask(router.port, 'hx.a', 'finite')).status).toBe(409);
});
