// Leaving that is done to a client: its process is killed, its address is taken away. Real processes,
// and for the address a network namespace of our own.
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { createLiveTimeline } from '../model/live.ts';
import { readSocketTable } from '../model/proc-net.ts';
import { ofType } from './exchange-view.ts';
import { steps } from './registry.ts';
import { createContext, startClientProcess } from './step-kit.ts';
import type { ClientProcess } from './step-kit.ts';
import type { StepContext, StepResult } from './step.ts';
import { MARKER, STREAM_HEAD, chunk, eventOf, requestOf, startPeer } from './test-kit.ts';
import type { Peer } from './test-kit.ts';

const open: { peer: Peer; client: ClientProcess }[] = [];
afterEach(async () => {
  for (const { peer, client } of open.splice(0)) {
    await client.kill();
    await peer.close();
  }
});

const start = async (): Promise<{ peer: Peer; client: ClientProcess; context: StepContext }> => {
  const peer = await startPeer((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
  const client = startClientProcess('alice');
  open.push({ peer, client });
  await client.send({ do: 'open', client: 'alice', address: '127.0.0.2', system: { address: peer.address, port: peer.port } });
  const perform = (step: string, options: object) => client.send({ do: 'perform', client: 'alice', step, options, mark: null });
  await perform('request', { name: 'chat', outgoing: requestOf() });
  expect(await perform('receive', { events: 1, within: 5_000 })).toEqual({ outcome: 'done' });
  const context = createContext(client.timeline, {
    mark: 'gone',
    kill: client.kill,
    act: (options) => perform('disconnect', options) as Promise<StepResult>,
  });
  return { peer, client, context };
};

it('kill: the kernel closes, and the harness says so', async () => {
  const { peer, client, context } = await start();
  const sampler = setInterval(() => {
    const rows = readSocketTable((address) => address === '127.0.0.2');
    client.timeline.note({ type: 'sample', probe: 'sockets', tookMs: 1, value: { rows } }, 'probe.sockets');
  }, 20);
  expect(await steps.get('disconnect')!.perform!(context, { how: 'kill' })).toEqual({ outcome: 'done' });
  clearInterval(sampler);
  await peer.waitFor('1:fin');
  expect(peer.seen).toEqual(['1:data', '1:fin']);
  const seen = client.timeline.seal();
  expect(seen.mark('gone')).toMatchObject({ client: 'alice', actor: 'harness' });
  expect(seen.of('left')).toMatchObject([
    {
      how: 'kill',
      wire: 'fin',
      marker: MARKER,
      unreadBytes: 0,
      socket: { before: 'established', after: expect.stringMatching(/^fin-wait-[12]$/) },
    },
  ]);
  expect(seen.of('left')[0]!.atMs).toBeGreaterThan(seen.mark('gone')!.atMs);
  expect(seen.of('received').at(-1)).toMatchObject({ events: 1 });
});

it('kill with unread data is an RST', async () => {
  const { peer, client, context } = await start();
  await client.send({ do: 'perform', client: 'alice', step: 'pause', options: {}, mark: null });
  await new Promise((resolve) => peer.sockets[0]!.write(chunk(eventOf(2)), resolve));
  expect(await steps.get('disconnect')!.perform!(context, { how: 'kill' })).toEqual({ outcome: 'done' });
  await peer.waitFor('1:rst');
  expect(client.timeline.seal().of('left')).toMatchObject([
    { wire: 'rst', unreadBytes: Buffer.byteLength(chunk(eventOf(2))), socket: { after: 'not sampled' } },
  ]);
});

it('kill of a client whose connection has gone is not seen, and its mark is set', async () => {
  const { peer, client, context } = await start();
  peer.sockets[0]!.resetAndDestroy();
  await client.timeline.waitFor((seen) => ofType(seen, 'response-ended')[0], 5_000);
  expect(await steps.get('disconnect')!.perform!(context, { how: 'kill' })).toMatchObject({ outcome: 'not-seen' });
  expect(client.timeline.seal().mark('gone')).toBeDefined();
  expect(client.timeline.seal().of('left')).toEqual([]);
});

const mayUnshare = spawnSync('unshare', ['-rn', 'true']).status === 0;

it.skipIf(!mayUnshare)('vanish: nothing goes on the wire, and the client says so', () => {
  const fixture = fileURLToPath(new URL('./fixtures/vanish.ts', import.meta.url));
  const said = JSON.parse(execFileSync('unshare', ['-rn', process.execPath, fixture], { encoding: 'utf8', timeout: 15_000 }));
  expect(said.result).toEqual({ outcome: 'done' });
  expect(said.peerSeen).toEqual(['1:data']);
  expect(said.peerState).toBe('established');
  expect(said.left).toMatchObject([
    { how: 'vanish', wire: 'nothing', marker: MARKER, unreadBytes: 0, socket: { before: 'established', after: 'established' } },
  ]);
  expect(said.marks).toEqual(['gone']);
  expect(said.afterLeft).toEqual([]);
});

it('vanish that the runtime refuses fails, without a `left`', async () => {
  const timeline = createLiveTimeline(() => {});
  const socket = { local: '127.0.0.2:1', state: 'established', unreadBytes: 0 };
  const context = createContext(timeline, { act: () => Promise.resolve({ outcome: 'done', socket }) });
  await expect(steps.get('disconnect')!.perform!(context, { how: 'vanish' })).rejects.toThrow('removeAddress');
  expect(timeline.seal().of('left')).toEqual([]);
});
