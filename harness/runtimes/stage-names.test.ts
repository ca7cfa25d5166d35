// A name server that knows nobody, asked by the resolver of Node.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { questionOf, refusalOf, refuseNames, searchedDomains } from './stage-names.ts';

const freePort = async (): Promise<number> => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) => void socket.close(() => resolve()));
  return port;
};

test('every outside name is told once a call, and there is none', async () => {
  const asked: string[] = [];
  const port = await freePort();
  expect(await refuseNames((name) => asked.push(name), { address: '127.0.0.1', port })).toBeNull();
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const lookups = [resolver.resolve4('API.prices.example'), resolver.resolve6('api.prices.example'), resolver.resolve4('other.example')];
  for (const lookup of await Promise.allSettled(lookups))
    expect(lookup).toMatchObject({ status: 'rejected', reason: { code: 'ENOTFOUND' } });
  await expect(resolver.reverse('127.0.0.9')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  for (const own of ['localhost', 'a.localhost', hostname()]) await resolver.resolve4(own).catch(() => {});
  expect(asked.sort()).toEqual(['api.prices.example', 'other.example']);
});

test('the machine itself is nobody outside below a domain that is searched either; others there are', async () => {
  const asked: string[] = [];
  const port = await freePort();
  expect(await refuseNames((name) => asked.push(name), { address: '127.0.0.1', port }, 'nameserver 127.0.0.1\nsearch eu.compute.internal corp.example.\n')).toBeNull();
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const own = hostname();
  for (const name of [`${own}.eu.compute.internal`, `${own}.corp.example`, `${own}.prices.example`, 'store.corp.example'])
    await resolver.resolve4(name).catch(() => {});
  expect(asked.sort()).toEqual([`${own.toLowerCase()}.prices.example`, 'store.corp.example'].sort());
});

test.each([
  ['the last line counts', 'domain a.example\nsearch B.example c.example\n', 'host.d.example', ['b.example', 'c.example']],
  ['without one what follows the first dot of its own name', 'nameserver 127.0.0.1\n', 'host.d.example', ['d.example']],
  ['without a dot none', '', 'host', []],
  ['a dot alone is none', 'search .\n', 'host', []],
])('where names of one word are searched: %s', (_, resolvConf, machine, domains) => expect(searchedDomains(resolvConf, machine)).toEqual(domains));

test('where it cannot listen it says why', async () => {
  expect(await refuseNames(() => {}, { address: '192.0.2.1', port: 0 })).toMatch(/EADDRNOTAVAIL/);
});

const QUERY = Buffer.from('1234010000010000000000010161076578616d706c650000010001' + '0000291000000000000000', 'hex');

test('an answer repeats the question, and nothing behind it', () => {
  const question = questionOf(QUERY)!;
  expect(question).toEqual({ name: 'a.example', endByte: 27 });
  expect(refusalOf(QUERY, question).toString('hex')).toBe('1234818300010000000000000161076578616d706c650000010001');
});

test.each([
  ['too short', QUERY.subarray(0, 11)],
  ['an answer', Buffer.concat([QUERY.subarray(0, 2), Buffer.from([0x81]), QUERY.subarray(3)])],
  ['without a question', Buffer.concat([QUERY.subarray(0, 4), Buffer.from([0, 0]), QUERY.subarray(6)])],
  ['cut in its name', QUERY.subarray(0, 16)],
  ['cut behind its name', QUERY.subarray(0, 24)],
  ['a name that points elsewhere', Buffer.concat([QUERY.subarray(0, 12), Buffer.from([0xc0, 0x0c, 0, 1, 0, 1])])],
])('%s is no question', (_, query) => expect(questionOf(query)).toBeNull());
