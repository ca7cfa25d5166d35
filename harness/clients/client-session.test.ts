// A session against a server on a real socket: which facts it tells, and that their totals are exact.
import { afterEach, expect, it } from 'vitest';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Kit, Peer } from './test-kit.ts';
import {
  END_MARK,
  LAST_CHUNK,
  MARKER,
  STREAM_HEAD,
  chunk,
  createKit,
  eventOf,
  eventually,
  requestOf,
  startPeer,
  usageOf,
} from './test-kit.ts';

const open: { peer: Peer; kit: Kit }[] = [];
afterEach(async () => {
  for (const { peer, kit } of open.splice(0)) {
    kit.session.destroy();
    await peer.close();
  }
});

const start = async (onRequest: (socket: Socket, number: number, text: string) => void): Promise<{ peer: Peer; kit: Kit }> => {
  const peer = await startPeer(onRequest);
  const kit = createKit(peer);
  open.push({ peer, kit });
  return { peer, kit };
};

it('tells a stream that is read to its end, with exact totals', async () => {
  const texts = [': keepalive\n\n', eventOf(1), eventOf(2), usageOf(2), END_MARK];
  const { kit } = await start((socket) => socket.write(STREAM_HEAD + texts.map(chunk).join('') + LAST_CHUNK));
  await kit.session.send(requestOf());
  expect(await kit.session.until(({ received }) => received.ended, 5_000)).toBe(true);
  const bytes = texts.join('').length;
  expect(kit.told.map(({ type }) => type)).toEqual([
    'connected',
    'request-written',
    'response-head',
    'received',
    'response-ended',
  ]);
  expect(kit.of('connected')[0]!.local).toMatch(/^127\.0\.0\.2:\d+$/);
  expect(kit.of('response-head')[0]).toMatchObject({ marker: MARKER, status: 200, contentType: 'text/event-stream' });
  expect(kit.of('received').at(-1)).toMatchObject({ marker: MARKER, bytes, events: 2, comments: 1 });
  expect(kit.of('response-ended')[0]).toMatchObject({
    how: 'complete',
    endMark: true,
    errorEvent: null,
    bytes,
    events: 2,
    foreignMarkers: [],
  });
  expect(kit.session.received).toEqual({ bytes, events: 2, status: 200, ended: true });
});

it('tells progress at most every 50 ms, the first chunk at once, and all of it at a mark', async () => {
  const { kit, peer } = await start((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
  await kit.session.send(requestOf());
  await kit.waitFor('received');
  for (let number = 2; number <= 40; number += 1) {
    peer.sockets[0]!.write(chunk(eventOf(number)));
    await kit.session.until(({ received }) => received.events >= number, 5_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  kit.session.setMark('now');
  const told = kit.of('received');
  expect(told[0]!.events).toBe(1);
  expect(told.at(-1)!.events).toBe(40);
  expect(kit.told.at(-1)).toMatchObject({ type: 'mark', mark: 'now', client: 'alice' });
  const gaps = told.slice(1, -1).map((fact, at) => fact.atMs - told[at]!.atMs);
  expect(Math.min(...gaps)).toBeGreaterThan(45);
});

it('tells a FIN before the end as truncated, and an RST as reset', async () => {
  const { kit } = await start((socket) => socket.end(STREAM_HEAD + chunk(eventOf(1))));
  await kit.session.send(requestOf());
  await kit.waitFor('response-ended');
  expect(kit.of('response-ended')[0]).toMatchObject({ how: 'truncated', endMark: false, events: 1 });
  expect(kit.session.peerClosed).toBe('fin');

  const { kit: other, peer } = await start((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
  await other.session.send(requestOf());
  await other.session.until(({ received }) => received.events === 1, 5_000);
  peer.sockets[0]!.resetAndDestroy();
  await other.waitFor('response-ended');
  expect(other.of('response-ended')[0]).toMatchObject({ how: 'reset', endMark: false, events: 1 });
  expect(other.session.peerClosed).toBe('rst');
  expect(other.session.received.ended).toBe(true);
});

it('tells an error status, an error event, and an answer that is no HTTP', async () => {
  const body = '{"error":"größer"}';
  const { kit } = await start((socket) =>
    socket.write(`HTTP/1.1 424 Failed\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  await kit.session.send(requestOf());
  await kit.waitFor('response-ended');
  expect(kit.of('response-ended')[0]).toMatchObject({ how: 'complete', errorEvent: `status 424: ${body}`, events: 0 });

  const { kit: inBand } = await start((socket) =>
    socket.write(STREAM_HEAD + chunk('data: {"error":{"message":"late"}}\n\n') + LAST_CHUNK),
  );
  await inBand.session.send(requestOf());
  await inBand.waitFor('response-ended');
  expect(inBand.of('response-ended')[0]).toMatchObject({
    how: 'complete',
    errorEvent: '{"error":{"message":"late"}}',
    endMark: false,
  });

  const { kit: broken } = await start((socket) => socket.write('ICY 200 OK\r\n\r\n'));
  await broken.session.send(requestOf());
  await broken.waitFor('response-ended');
  expect(broken.of('response-ended')[0]).toMatchObject({
    how: 'truncated',
    errorEvent: expect.stringContaining('malformed answer'),
  });
});

it('finds the bytes of another exchange', async () => {
  const { kit } = await start((socket) =>
    socket.write(STREAM_HEAD + chunk(eventOf(1)) + chunk(eventOf(2, 'hx.bob.3.ffffffff')) + LAST_CHUNK),
  );
  await kit.session.send(requestOf());
  await kit.waitFor('response-ended');
  expect(kit.of('response-ended')[0]).toMatchObject({ foreignMarkers: ['hx.bob.3.ffffffff'], events: 2 });
});

it('keeps a connection for the next request, and what came unasked is its answer', async () => {
  let requests = 0;
  const { kit, peer } = await start((socket) => {
    requests += 1;
    if (requests === 1)
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 19\r\n\r\nhx.bob.9.eeeeeeee..',
      );
  });
  await kit.session.send(requestOf());
  await kit.waitFor('response-ended');
  await kit.session.send(requestOf('hx.alice.2.00000000'));
  expect(await kit.session.until(({ received }) => received.ended, 5_000)).toBe(true);
  expect(peer.sockets.length).toBe(1);
  expect(kit.of('request-written').map(({ connection }) => connection)).toEqual([1, 1]);
  expect(kit.of('response-ended').map(({ foreignMarkers }) => foreignMarkers)).toEqual([[], ['hx.bob.9.eeeeeeee']]);
});

it('takes a new connection where the old one is still owed an answer or may not be kept', async () => {
  const { kit, peer } = await start((socket, number) =>
    socket.write(
      number === 1 ? STREAM_HEAD + chunk(eventOf(1)) : 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
    ),
  );
  for (const number of [1, 2, 3]) {
    await kit.session.send(requestOf(`hx.alice.${number}.00000000`));
    await kit.session.until(({ received }) => received.status === 200, 5_000);
  }
  expect(peer.sockets.length).toBe(3);
  peer.sockets[0]!.write(chunk(eventOf(2, 'hx.alice.1.00000000')) + LAST_CHUNK);
  await kit.session.until(() => kit.of('response-ended').length === 3, 5_000);
  expect(kit.of('response-ended').at(-1)).toMatchObject({ marker: 'hx.alice.1.00000000', events: 2, how: 'complete' });
});

it('says when it cannot connect', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const kit = createKit({ address: '127.0.0.1', port });
  await expect(kit.session.send(requestOf())).rejects.toThrow('ECONNREFUSED');
  expect(kit.told.map(({ type }) => type)).toEqual(['connect-failed']);
  await expect(kit.session.leave('fin', null)).rejects.toThrow('no connection');
});

it('reads nothing while paused, and all of it afterwards', async () => {
  const { kit, peer } = await start((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
  await kit.session.send(requestOf());
  await kit.session.until(({ received }) => received.events === 1, 5_000);
  kit.session.pause();
  const { bytes } = kit.session.received;
  await new Promise((resolve) => peer.sockets[0]!.write(chunk(eventOf(2)), resolve));
  await eventually(
    () => kit.session.look().unreadBytes > 0,
    () => 'unread bytes in the kernel',
  );
  expect(await kit.session.until(({ received }) => received.bytes > bytes, 100)).toBe(false);
  expect(kit.session.look()).toMatchObject({ state: 'established', unreadBytes: Buffer.byteLength(chunk(eventOf(2))) });
  expect(kit.session.received.bytes).toBe(bytes);
  kit.session.resume();
  expect(await kit.session.until(({ received }) => received.events === 2, 5_000)).toBe(true);
  expect(kit.of('paused')).toMatchObject([{ marker: MARKER, unreadBytes: 0 }]);
  expect(kit.of('resumed')).toMatchObject([{ marker: MARKER }]);
});

it('never reads where it paused before its request', async () => {
  const { kit, peer } = await start((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
  kit.session.pause();
  await kit.session.send(requestOf());
  await peer.waitFor('1:data');
  expect(await kit.session.until(({ received }) => received.status !== null, 200)).toBe(false);
  expect(kit.of('paused')).toMatchObject([{ marker: MARKER, unreadBytes: 0 }]);
  kit.session.resume();
  expect(await kit.session.until(({ received }) => received.events === 1, 5_000)).toBe(true);
});
