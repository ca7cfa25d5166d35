// Addresses and ports: different where they must differ, below what the kernel hands out itself.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { loopbackAddresses, namespaceAddresses, takeFreePort } from './addresses.ts';

test('in a namespace everybody has one, the system whether named or not', () => {
  const { all, of } = namespaceAddresses(['upstream.model', 'client.alice', 'system']);
  expect(new Set(Object.values(all)).size).toBe(3);
  expect(namespaceAddresses([]).of('system')).toMatch(/^10\.213\.0\.1$/);
  expect(() => of('client.bob')).toThrow('client.bob has no address');
});

test('three hundred names are no trouble', () => {
  const { all } = namespaceAddresses(Array.from({ length: 300 }, (_, index) => `client.c${index}`));
  const values = Object.values(all);
  expect(new Set(values).size).toBe(301);
  expect(values.every((address) => /^10\.213\.[01]\.\d+$/.test(address))).toBe(true);
});

test('under plain loopback no two stages share an address, and none is the usual one', () => {
  const stages = Array.from({ length: 50 }, () => loopbackAddresses(['client.alice']));
  const addresses = stages.flatMap(({ all }) => Object.values(all));
  expect(new Set(addresses).size).toBe(100);
  expect(addresses.filter((address) => !address.startsWith('127.') || address === '127.0.0.1')).toEqual([]);
});

test('a port that is given is free, below the ephemeral range, and not given again', async () => {
  const ports = Array.from({ length: 20 }, () => takeFreePort());
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  const server = createServer().listen(ports[0], '0.0.0.0');
  await once(server, 'listening');
  server.close();
});

test('a port that somebody holds is passed over', async () => {
  const next = takeFreePort() + 1;
  const server = createServer().listen(next, '0.0.0.0');
  await once(server, 'listening');
  expect(takeFreePort()).not.toBe(next);
  server.close();
});
