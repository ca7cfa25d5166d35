// How a peer leaves, and what is told of it: FIN and RST apart, stamped when they came, with the
// exchange they struck and what it had written; and never anything that did not happen.
import { describe, expect, it } from 'vitest';
import { nowMs } from '../harness/model/time.ts';
import { chat, MARKER, openPeer, start, until } from './fixture.ts';
import type { Peer, Started } from './fixture.ts';

const BEHAVIOURS = [
  ['header-wait', {}],
  ['silent', {}],
  ['endless', { every: '10ms' }],
  ['sse-keepalive', { every: '10ms' }],
  ['flood', { 'at-most': '64GiB' }],
] as const;

/** A peer whose exchange is under way as far as the behaviour lets it be. */
const underWay = async (started: Started, kind: string): Promise<Peer> => {
  const peer = openPeer(started.port, chat());
  await started.facts.await('request-received');
  if (kind !== 'header-wait') await peer.awaitText(kind === 'sse-keepalive' ? ': ' : 'data: ');
  // What floods must not fill the test's memory.
  if (kind === 'flood') peer.socket.pause();
  return peer;
};

describe.each(BEHAVIOURS)('%s', (kind, options) => {
  it('tells of a reset, of the aborted answer and of the connection', async () => {
    await using started = await start(kind, options);
    const peer = await underWay(started, kind);
    const beforeMs = nowMs();
    peer.socket.resetAndDestroy();
    const closed = await started.facts.await('peer-closed');
    expect(closed).toMatchObject({ connection: 1, exchange: 1, marker: MARKER, how: 'rst' });
    expect(closed.atMs).toBeGreaterThanOrEqual(beforeMs);
    const ended = await started.facts.await('answer-ended');
    expect(ended).toMatchObject({ exchange: 1, how: 'aborted', by: 'peer', usage: null, bytes: closed.bytes, events: closed.events });
    expect(await started.facts.await('connection-closed')).toMatchObject({ connection: 1, by: 'peer', how: 'rst' });
    expect(started.facts.of('peer-closed')).toHaveLength(1);
    expect(started.facts.of('answer-progress').at(-1)).toMatchObject({ bytes: ended.bytes, events: ended.events });
  });

  it('tells of a half-close and goes on', async () => {
    await using started = await start(kind, options);
    const peer = await underWay(started, kind);
    peer.socket.end();
    expect(await started.facts.await('peer-closed')).toMatchObject({ exchange: 1, marker: MARKER, how: 'fin' });
    if (kind === 'flood') peer.socket.resume();
    const { bytes } = started.facts.of('peer-closed')[0]!;
    const goesOn = kind === 'endless' || kind === 'flood' || kind === 'sse-keepalive';
    if (goesOn) await until('more bytes after the FIN', () => started.facts.of('answer-progress').some((fact) => fact.bytes > bytes));
    expect(started.facts.of('answer-ended')).toEqual([]);
    expect(started.facts.of('connection-closed')).toEqual([]);
    expect(peer.ended()).toBeNull();
    // And a reset after the FIN is seen as well, whether or not anything is being written.
    peer.socket.resetAndDestroy();
    expect(await started.facts.await('peer-closed', 2)).toMatchObject({ exchange: 1, how: 'rst' });
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'aborted', by: 'peer' });
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'peer', how: 'rst' });
  });

  it('ends with the FIN where it is told to', async () => {
    await using started = await start(kind, options, { onFin: 'close' });
    const peer = await underWay(started, kind);
    peer.socket.end();
    expect(await started.facts.await('peer-closed')).toMatchObject({ exchange: 1, how: 'fin' });
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'aborted', by: 'peer' });
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'peer', how: 'fin' });
    if (kind === 'flood') peer.socket.resume();
    expect(await peer.awaitEnd()).toBe('fin');
    expect(started.facts.of('peer-closed')).toHaveLength(1);
  });
});

describe('a full close', () => {
  it('is a FIN, then the RST that answers the next write, which counts as not written', async () => {
    await using started = await start('endless', { every: '20ms' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText(`${MARKER} 2 `);
    peer.socket.destroy();
    const fin = await started.facts.await('peer-closed');
    expect(fin).toMatchObject({ how: 'fin' });
    const rst = await started.facts.await('peer-closed', 2);
    expect(rst).toMatchObject({ how: 'rst', exchange: 1 });
    // One event went out after the FIN and drew the RST. What failed afterwards is in no total.
    expect(rst.events).toBe(fin.events + 1);
    expect(await started.facts.await('answer-ended')).toMatchObject({ events: rst.events, bytes: rst.bytes, how: 'aborted' });
  });

  it('is one FIN and no more where nothing is written', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port, chat());
    await peer.awaitText('data:');
    peer.socket.destroy();
    await started.facts.await('peer-closed');
    await started.upstreams.stop('model');
    expect(started.facts.of('peer-closed')).toHaveLength(1);
    expect(started.facts.of('answer-ended')).toMatchObject([{ how: 'cut', by: 'fault' }]);
    expect(started.facts.of('connection-closed')).toMatchObject([{ by: 'self', how: 'rst' }]);
  });
});

describe('outside of an exchange', () => {
  it('names none for a connection that never carried a request', async () => {
    await using started = await start('endless');
    const bare = openPeer(started.port);
    expect(await started.facts.await('connection-opened')).toMatchObject({ local: `127.0.0.1:${started.port}` });
    bare.socket.end();
    expect(await started.facts.await('peer-closed')).toMatchObject({ connection: 1, exchange: null, marker: null, how: 'fin', bytes: 0 });
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'peer', how: 'fin' });
    expect(started.facts.of('request-received')).toEqual([]);
    expect(await bare.awaitEnd()).toBe('fin');
  });

  it('names none between two exchanges of a kept connection', async () => {
    await using started = await start('finite', { events: 1, every: 0 });
    const peer = openPeer(started.port, chat());
    await started.facts.await('answer-ended');
    peer.socket.resetAndDestroy();
    expect(await started.facts.await('peer-closed')).toMatchObject({ connection: 1, exchange: null, marker: null, how: 'rst' });
    expect(started.facts.of('answer-ended')).toMatchObject([{ how: 'complete' }]);
  });

  it('drops half a request with the FIN that follows it', async () => {
    await using started = await start('endless');
    const peer = openPeer(started.port, chat().slice(0, 40));
    peer.socket.end();
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'peer', how: 'fin' });
    expect(started.facts.of('request-received')).toEqual([]);
  });

  it('answers what was asked before the FIN, then closes too', async () => {
    await using started = await start('finite', { events: 3, every: '5ms' });
    const peer = openPeer(started.port, chat());
    peer.socket.end();
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'complete', by: 'script', events: 3 });
    expect(await peer.awaitEnd()).toBe('fin');
    expect(peer.text()).toContain('[DONE]');
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'peer', how: 'fin' });
  });
});

describe('what comes together with data', () => {
  const leaveAtOnce = async (peer: Peer, leave: () => unknown): Promise<void> => {
    await until('the connection', () => peer.socket.readyState === 'open');
    peer.socket.write(chat());
    leave();
  };

  // header-wait writes nothing that could draw the error out.
  it.each(['silent', 'header-wait'])('is a reset where it was one, though the poll of it looks like an end (%s)', async (kind) => {
    await using started = await start(kind);
    const peer = openPeer(started.port);
    await leaveAtOnce(peer, () => peer.socket.resetAndDestroy());
    await started.facts.await('connection-closed');
    expect(started.facts.of('peer-closed')).toMatchObject([{ connection: 1, exchange: 1, marker: MARKER, how: 'rst' }]);
    expect(started.facts.of('connection-closed')).toMatchObject([{ by: 'peer', how: 'rst' }]);
    expect(started.facts.of('answer-ended')).toMatchObject([{ how: 'aborted', by: 'peer' }]);
  });

  it.each(['silent', 'header-wait'])('is a FIN where it was one (%s)', async (kind) => {
    await using started = await start(kind);
    const peer = openPeer(started.port);
    await leaveAtOnce(peer, () => peer.socket.end());
    expect(await started.facts.await('peer-closed')).toMatchObject({ exchange: 1, how: 'fin' });
    if (kind === 'silent') await peer.awaitText('data:');
    expect(started.facts.of('answer-ended')).toEqual([]);
  });

  it.each(['silent', 'header-wait'])('is both where a reset followed the FIN at once (%s)', async (kind) => {
    await using started = await start(kind);
    const peer = openPeer(started.port);
    await leaveAtOnce(peer, () => peer.socket.end(() => peer.socket.resetAndDestroy()));
    await started.facts.await('connection-closed');
    expect(started.facts.of('peer-closed')).toMatchObject([{ exchange: 1, how: 'fin' }, { exchange: 1, how: 'rst' }]);
  });
});

it('records every one of a hundred resets in one instant, each on its own exchange', async () => {
  await using started = await start('silent');
  const peers = Array.from({ length: 100 }, (_, index) => openPeer(started.port, chat({ user: `hx.alice.${index + 1}.00000000` })));
  await Promise.all(peers.map((peer) => peer.awaitText('data:')));
  for (const peer of peers) peer.socket.resetAndDestroy();
  await started.facts.await('connection-closed', 100);
  const closed = started.facts.of('peer-closed');
  expect(closed.every((fact) => fact.how === 'rst')).toBe(true);
  expect(new Set(closed.map((fact) => fact.marker)).size).toBe(100);
  expect(new Set(closed.map((fact) => fact.exchange)).size).toBe(100);
});
