// What the harness can tell the upstreams: promise a behaviour, let finish, stop, close; and what it
// is told when that cannot be.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, OTHER_MARKER, start, until } from './fixture.ts';

describe('finish', () => {
  it.each(['silent', 'endless', 'sse-keepalive', 'header-wait'])('lets %s end well', async (kind) => {
    await using started = await start(kind);
    const peer = openPeer(started.port, chat());
    await started.facts.await(kind === 'header-wait' ? 'request-received' : 'answer-progress');
    expect(started.upstreams.finish('model')).toEqual({ count: 1 });
    // Told before the reply of the command, so that who waits for the reply finds the facts.
    const [ended] = started.facts.of('answer-ended');
    const { body, complete } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
    expect(ended).toMatchObject({ how: 'complete', by: 'fault', bytes: body.length, usage: eventNumbers(body).length });
    expect(complete).toBe(true);
    expect(body.endsWith(`"total_tokens":${ended!.usage}}}\n\ndata: [DONE]\n\n`)).toBe(true);
    expect(peer.ended()).toBeNull();
    expect(started.upstreams.finish('model')).toEqual({ count: 0 });
  });

  it('lets a flood end whose peer does not read, when it reads again', async () => {
    await using started = await start('flood', { 'at-most': '64GiB' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText('data:');
    peer.socket.pause();
    await started.facts.await('write-blocked');
    expect(started.upstreams.finish('model')).toEqual({ count: 1 });
    expect(started.facts.of('answer-ended')).toEqual([]);
    peer.socket.resume();
    const ended = await started.facts.await('answer-ended');
    const { body, complete } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
    expect(complete).toBe(true);
    expect(ended).toMatchObject({ how: 'complete', by: 'fault', bytes: body.length, usage: ended.events });
  });

  it('touches one marker only, and ends a document not streamed as valid JSON', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port, chat({ user: MARKER, stream: false }));
    const sibling = openPeer(started.port, chat({ user: OTHER_MARKER }));
    await Promise.all([peer.awaitText(`${MARKER} 1 `), sibling.awaitText('data:')]);
    expect(started.upstreams.finish('model', { marker: MARKER })).toEqual({ count: 1 });
    const { body } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
    expect(JSON.parse(body)).toMatchObject({ usage: { completion_tokens: 1 } });
    expect(started.facts.of('answer-ended').map((fact) => fact.marker)).toEqual([MARKER]);
    expect(sibling.text()).not.toContain('[DONE]');
  });
});

describe('stop and close', () => {
  it('resets every connection, idle ones too, and listens no more', async () => {
    await using started = await start('endless', { every: '10ms' });
    const peer = openPeer(started.port, chat());
    const idle = openPeer(started.port);
    await peer.awaitText('data:');
    await started.facts.await('connection-opened', 2);
    expect(await started.upstreams.stop('model')).toEqual({ count: 2 });
    expect(started.facts.of('answer-ended')).toMatchObject([{ how: 'cut', by: 'fault', usage: null }]);
    expect(started.facts.of('connection-closed')).toMatchObject([{ by: 'self', how: 'rst' }, { by: 'self', how: 'rst' }]);
    expect(await peer.awaitEnd()).toBe('rst');
    expect(await idle.awaitEnd()).toBe('rst');
    expect(await openPeer(started.port).awaitEnd()).toBe('rst');
    expect(started.facts.of('peer-closed')).toEqual([]);
    expect(await started.upstreams.stop('model')).toEqual({ count: 0 });
  });

  it('may listen again under its name, with numbers that go on', async () => {
    await using started = await start('silent');
    await openPeer(started.port, chat()).awaitText('data:');
    await started.upstreams.stop('model');
    const again = { upstream: 'model', address: '127.0.0.1', port: started.port, behaviour: { kind: 'silent' } };
    const { port } = await started.upstreams.listen(again);
    expect(port).toBe(started.port);
    await openPeer(port, chat()).awaitText('data:');
    expect(started.facts.of('request-received').map(({ connection, exchange }) => [connection, exchange])).toEqual([[1, 1], [2, 2]]);
  });

  it('forgets the name that was closed', async () => {
    await using started = await start('silent');
    expect(await started.upstreams.close('model')).toEqual({ count: 0 });
    expect(() => started.upstreams.finish('model')).toThrow('there is no upstream model');
  });
});

describe('what cannot be', () => {
  const plan = { upstream: 'two', address: '127.0.0.1', port: 0 };
  it.each([
    ['unknown-behaviour', { ...plan, behaviour: { kind: 'endles' } }],
    ['bad-option', { ...plan, behaviour: { kind: 'endless', options: { evry: 1 } } }],
    ['bad-option', { ...plan, behaviour: { kind: 'endless', options: { every: '3 renewals' } } }],
    ['unknown-shape', { ...plan, behaviour: { kind: 'endless' }, shape: 'morse' }],
    ['name-in-use', { ...plan, upstream: 'model', behaviour: { kind: 'endless' } }],
    ['EADDRNOTAVAIL', { ...plan, address: '192.0.2.1', behaviour: { kind: 'endless' } }],
  ])('%s', async (code, listen) => {
    await using started = await start('silent');
    await expect(started.upstreams.listen(listen)).rejects.toMatchObject({ code });
  });

  it('names a port that somebody else has', async () => {
    await using started = await start('silent');
    const server = createServer().listen(0, '127.0.0.1');
    await until('the other listener listens', () => server.listening);
    const { port } = server.address() as { port: number };
    const listen = { ...plan, port, behaviour: { kind: 'silent' } };
    await expect(started.upstreams.listen(listen)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    server.close();
  });

  it('promises no exchange a behaviour that is the listener\'s', async () => {
    await using started = await start('silent');
    expect(() => started.upstreams.expect('model', MARKER, { kind: 'refused' })).toThrow('it accepts nothing');
    expect(() => started.upstreams.expect('other', MARKER, { kind: 'silent' })).toThrow('there is no upstream other');
  });
});
