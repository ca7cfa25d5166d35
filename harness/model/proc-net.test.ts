// The socket table against real sockets of this process, and against rows whose meaning is known.
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { parseSocketTable, readSocketTable } from './proc-net.ts';

const HEADER = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

const connect = async (listenAt: string, connectTo: string): Promise<{ client: Socket; server: Socket; local: string; remote: string }> => {
  const listener = createServer({ allowHalfOpen: true });
  listener.listen(0, listenAt);
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const accepted = once(listener, 'connection');
  const client = createConnection({ port, host: connectTo, allowHalfOpen: true });
  await once(client, 'connect');
  const [server] = (await accepted) as [Socket];
  onTestFinished(() => {
    client.destroy();
    server.destroy();
    listener.close();
  });
  return { client, server, local: `${connectTo}:${client.localPort}`, remote: `${connectTo}:${port}` };
};

it('reads the states of a connection whose client half-closed', async () => {
  const { client, server, local, remote } = await connect('127.0.0.1', '127.0.0.1');
  client.end();
  server.resume();
  await once(server, 'end');
  const rows = readSocketTable((address) => address === '127.0.0.1');
  expect(rows.find((row) => row.local === local && row.remote === remote)?.state)
    .toMatch(/^fin-wait-[12]$/); // 1 until the peer's kernel has acknowledged, which it may put off
  const own = rows.find((row) => row.local === remote && row.remote === local);
  expect(own?.state).toBe('close-wait');
  expect(own?.inode).toBeGreaterThan(0);
});

it('counts bytes that nobody reads in the receive queue', async () => {
  const { client, server, local, remote } = await connect('127.0.0.1', '127.0.0.1');
  server.pause();
  await new Promise((resolve) => client.write(Buffer.alloc(1000), resolve));
  const row = readSocketTable().find((each) => each.local === remote && each.remote === local);
  expect(row?.receiveQueue).toBeGreaterThan(0);
});

it('gives a mapped IPv4 peer of an IPv6 listener its IPv4 name', async () => {
  const { local, remote } = await connect('::', '127.0.0.1');
  const rows = readSocketTable((address) => address === '127.0.0.1');
  expect(rows.some((row) => row.local === remote && row.remote === local)).toBe(true);
});

it('reads tables of any length to their end', async () => {
  const { client, server } = await connect('127.0.0.1', '127.0.0.1');
  const pairs = [{ client, server }];
  // Around every possible end of a page of 4 KiB, whatever else is in this namespace.
  for (let count = 0; count < 60; count += 1) {
    const next = await connect('127.0.0.1', '127.0.0.1');
    pairs.push(next);
    const ports = new Set(readSocketTable().map((row) => Number(row.local.split(':').at(-1))));
    const missing = pairs.map((pair) => pair.client.localPort!).filter((port) => !ports.has(port));
    expect(missing).toEqual([]);
  }
});

it('keeps rows of other addresses out', async () => {
  await connect('127.0.0.1', '127.0.0.1');
  expect(readSocketTable((address) => address === '127.99.99.99')).toEqual([]);
});

it('reads rows with wide numbers, IPv6 addresses, a state of its own and a table that is cut off', () => {
  const row = '12345: 0000000000000000FFFF00000200007F:1F90 B80D0120000000000000000001000000:0050 0B 000000FF:00000010 00:00000000 00000000'
    + ' 65534        0 4294967296 1 0000000000000000 20 4 30 10 -1\n';
  const expected = {
    local: '127.0.0.2:8080', remote: '[2001:db8::1]:80', state: 'closing', sendQueue: 255, receiveQueue: 16, inode: 4_294_967_296,
  };
  expect(parseSocketTable(HEADER + row)).toEqual([expected]);
  expect(parseSocketTable(HEADER)).toEqual([]);
  expect(parseSocketTable('')).toEqual([]);
  expect(parseSocketTable(HEADER + row + '   1: 0000')).toEqual([expected]);
});
