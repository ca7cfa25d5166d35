// What is answered without an exchange: refusals cost nothing and reach nobody upstream.
import net from 'node:net';
import { expect, test as plainTest } from 'vitest';
import { openClient } from '../fixtures/client.ts';
import { createSetting } from '../fixtures/setting.ts';
import { until } from '../fixtures/until.ts';

const test = plainTest.concurrent;

test('readiness, status and unknown routes need no key', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished);
  const base = `http://127.0.0.1:${router.port}`;
  expect(await (await fetch(`${base}/v1/models`)).text()).toContain('gpt-test');
  expect(await (await fetch(`${base}/status`)).json()).toMatchObject({ state: 'serving', live: [], ledger: { owed: 0 } });
  expect((await fetch(`${base}/nothing`)).status).toBe(404);
  expect((await fetch(`${base}/v1/chat/completions`)).status).toBe(404);
});

test('what cannot be served is refused before anything is reserved', async ({ onTestFinished }) => {
  const { router, upstream } = await createSetting(onTestFinished);
  const post = async (path: string, body: string, headers: Record<string, string> = { authorization: 'Bearer sk-test' }) =>
    (await fetch(`http://127.0.0.1:${router.port}${path}`, { method: 'POST', body, headers })).status;
  expect(await post('/v1/chat/completions', '{}', {})).toBe(401);
  expect(await post('/v1/chat/completions', '{"model":')).toBe(400);
  expect(await post('/v1/chat/completions', '[]')).toBe(400);
  expect(await post('/refund', '', {})).toBe(401);
  expect(await post('/refund', '', { authorization: 'Bearer sk-unknown' })).toBe(401);
  expect(router.account()).toMatchObject({ balance: 10_000, reserved: 0 });
  expect(upstream.legs).toEqual([]);
});

test('a body beyond the limit is not read to its end', async ({ onTestFinished }) => {
  const { router } = await createSetting(onTestFinished);
  const socket = net.connect({ port: router.port, host: '127.0.0.1' });
  let text = '';
  socket.on('error', () => undefined).on('data', (data) => (text += data.toString()));
  socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-test\r\ncontent-length: 2000000\r\n\r\n');
  socket.write('x'.repeat(1_100_000));
  await until('a refusal', () => text.startsWith('HTTP/1.1 413'), 5_000, () => text);
  socket.destroy();
});

test('a connection is kept for one request after the other, and refuses the second of two at once', async ({ onTestFinished }) => {
  const { router, terminal } = await createSetting(onTestFinished);
  const client = await openClient(router.port, 'hx.first', 'finite');
  await until('the first answer', () => client.text().endsWith('0\r\n\r\n'));
  client.ask('hx.second', 'slow-finite');
  await until('the second to be under way', () => client.events() > 3);
  client.ask('hx.third', 'finite');
  await until('a refusal after the second answer', () => client.text().includes('HTTP/1.1 400'), 10_000, client.text);
  expect(await terminal('hx.second')).toMatchObject({ state: 'charged', reason: 'finished' });
  expect(router.row('hx.third')).toBeUndefined();
});
