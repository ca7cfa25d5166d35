// The clients' process itself: its commands by JSON lines, and the facts that come back.
import { afterEach, expect, it } from 'vitest';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startClientProcess } from './step-kit.ts';
import type { ClientProcess } from './step-kit.ts';
import { LAST_CHUNK, MARKER, STREAM_HEAD, chunk, eventOf, requestOf, startPeer } from './test-kit.ts';

const open: ClientProcess[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.kill())));

const start = (): ClientProcess => {
  const client = startClientProcess('alice');
  open.push(client);
  return client;
};

it('opens, performs, says its state, closes', async () => {
  const peer = await startPeer((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1)) + LAST_CHUNK));
  const client = start();
  await client.send({ do: 'open', client: 'alice', address: '127.0.0.2', system: { address: peer.address, port: peer.port } });
  expect(await client.send({ do: 'state', client: 'alice' })).toEqual({ bytes: 0, events: 0, status: null, ended: false });
  await client.send({
    do: 'perform',
    client: 'alice',
    step: 'request',
    options: { name: 'chat' },
    mark: null,
    request: requestOf(),
  });
  expect(
    await client.send({ do: 'perform', client: 'alice', step: 'receive', options: { until: 'end', within: 5_000 }, mark: 'end' }),
  ).toEqual({ outcome: 'done' });
  expect(await client.send({ do: 'state', client: 'alice' })).toEqual({
    bytes: eventOf(1).length,
    events: 1,
    status: 200,
    ended: true,
  });
  const ended = await client.timeline.waitFor((seen) => seen.find(({ type }) => type === 'mark'), 5_000);
  expect(ended).toMatchObject({ actor: 'client.alice', mark: 'end', client: 'alice' });
  expect(client.timeline.seal().of('response-ended')).toMatchObject([{ actor: 'client.alice', marker: MARKER, how: 'complete' }]);
  await client.send({ do: 'close', client: 'alice' });
  await peer.waitFor('1:fin');
  await expect(client.send({ do: 'state', client: 'alice' })).rejects.toThrow('alice is not open');
  await expect(client.send({ do: 'perform', client: 'bob', step: 'barrier', options: {}, mark: null })).rejects.toThrow(
    'barrier has nothing to do',
  );
  await peer.close();
});

it('control-connect closes by FIN and by RST from the address it was given', async () => {
  const peer = await startPeer(() => {});
  const client = start();
  const ends: string[] = [];
  for (const [how, seen] of [
    ['fin', '1:fin'],
    ['rst', '2:rst'],
  ] as const) {
    const { local, atMs } = (await client.send({
      do: 'control-connect',
      from: '127.0.0.3',
      address: peer.address,
      port: peer.port,
      how,
    })) as { local: string; atMs: number };
    await peer.waitFor(seen);
    ends.push(local);
    expect(atMs).toBeGreaterThan(0);
  }
  expect(ends).toEqual([expect.stringMatching(/^127\.0\.0\.3:\d+$/), expect.stringMatching(/^127\.0\.0\.3:\d+$/)]);
  expect(peer.seen).toEqual(['1:data', '1:fin', '2:data', '2:rst']);
  await peer.close();
});

it('control-connect says when nobody listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  await expect(
    start().send({ do: 'control-connect', from: '127.0.0.3', address: '127.0.0.1', port, how: 'fin' }),
  ).rejects.toThrow('ECONNREFUSED');
});

it('control-connect resets no connection that the other end has not taken yet', async () => {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./fixtures/late-accept.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const port = Number((await lines.next()).value);
    const { local } = (await start().send({
      do: 'control-connect',
      from: '127.0.0.3',
      address: '127.0.0.1',
      port,
      how: 'rst',
    })) as {
      local: string;
    };
    expect((await lines.next()).value).toBe(`rst ${local}`);
  } finally {
    server.kill('SIGKILL');
  }
});
