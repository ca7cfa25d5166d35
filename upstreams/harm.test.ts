// What the harness does to an upstream in the middle of its work: whose exchanges are meant, what is told
// of them, and what is left as it was.
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { chat, MARKER, openPeer, OTHER_MARKER, start } from './fixture.ts';
import type { Peer, Started } from './fixture.ts';

/** `alice` and `bob` each have an open exchange, and somebody an idle connection. */
const withThree = async (started: Started): Promise<{ alice: Peer; bob: Peer; idle: Peer }> => {
  const alice = openPeer(started.port, chat());
  const bob = openPeer(started.port, chat({ user: OTHER_MARKER }));
  const idle = openPeer(started.port);
  await Promise.all([alice.awaitText('data:'), bob.awaitText('data:'), started.facts.await('connection-opened', 3)]);
  return { alice, bob, idle };
};

describe('reset', () => {
  it('resets what is open and nothing else, and goes on serving', async () => {
    await using started = await start('endless', { every: '10ms' });
    const { alice, bob, idle } = await withThree(started);
    expect(await started.upstreams.reset('model')).toEqual({ count: 2 });
    // Told before the reply, so that who waits for it finds the facts.
    expect(started.facts.of('answer-ended')).toMatchObject(Array(2).fill({ how: 'cut', by: 'fault', usage: null }));
    expect(started.facts.of('connection-closed')).toMatchObject(Array(2).fill({ by: 'self', how: 'rst' }));
    expect([await alice.awaitEnd(), await bob.awaitEnd()]).toEqual(['rst', 'rst']);
    idle.socket.write(chat());
    await idle.awaitText('data:');
    await openPeer(started.port, chat()).awaitText('data:');
    expect(idle.ended()).toBeNull();
  });

  it('resets those of one client', async () => {
    await using started = await start('endless', { every: '10ms' });
    const { alice, bob } = await withThree(started);
    expect(await started.upstreams.reset('model', { client: 'alice' })).toEqual({ count: 1 });
    expect(await alice.awaitEnd()).toBe('rst');
    const soFar = bob.text().length;
    await started.facts.await('answer-progress', started.facts.of('answer-progress').length + 2);
    expect(bob.text().length).toBeGreaterThan(soFar);
    expect(started.facts.of('answer-ended').map(({ marker }) => marker)).toEqual([MARKER]);
    expect(await started.upstreams.reset('model', { client: 'alice' })).toEqual({ count: 0 });
    expect(await started.upstreams.reset('model', { client: 'ali' }), 'a name is not a part of another').toEqual({ count: 0 });
  });
});

it('finish lets those of one client end well', async () => {
  await using started = await start('silent');
  const { alice, bob } = await withThree(started);
  expect(started.upstreams.finish('model', { client: 'bob' })).toEqual({ count: 1 });
  await bob.awaitText('[DONE]');
  expect(alice.text()).not.toContain('[DONE]');
  expect(started.facts.of('answer-ended')).toMatchObject([{ marker: OTHER_MARKER, how: 'complete', by: 'fault' }]);
});

describe('refuse and admit', () => {
  it('lets nobody in for a while, at the same port afterwards, and leaves alone who is in', async () => {
    await using started = await start('endless', { every: '10ms' });
    const { alice } = await withThree(started);
    started.upstreams.refuse('model');
    await expect(once(connect(started.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const soFar = alice.text().length;
    await started.facts.await('answer-progress', started.facts.of('answer-progress').length + 2);
    expect(alice.text().length).toBeGreaterThan(soFar);
    await started.upstreams.admit('model');
    await openPeer(started.port, chat()).awaitText('data:');
    expect(started.facts.of('fault-held')).toMatchObject([
      { fault: 'upstream-refuse', edge: 'begin' }, { fault: 'upstream-refuse', edge: 'end' },
    ]);
    expect(started.facts.of('answer-ended')).toEqual([]);
    expect(started.facts.of('connection-opened').map(({ connection }) => connection)).toEqual([1, 2, 3, 4]);
  });

  it('says what cannot be: refusing twice, or an upstream that never listened; admitting unasked, or after a stop', async () => {
    await using started = await start('silent');
    await started.upstreams.listen({ upstream: 'closed', address: '127.0.0.1', port: 0, behaviour: { kind: 'refused' } });
    expect(() => started.upstreams.refuse('closed')).toThrow('upstream closed does not listen');
    await expect(started.upstreams.admit('model')).rejects.toMatchObject({ code: 'not-refusing' });
    started.upstreams.refuse('model');
    expect(() => started.upstreams.refuse('model')).toThrow('upstream model does not listen');
    await started.upstreams.stop('model');
    await expect(started.upstreams.admit('model')).rejects.toMatchObject({ code: 'not-refusing' });
  });
});
