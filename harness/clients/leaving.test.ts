// Each way of leaving as the other side of a real socket sees it, and what the client says about it.
import { afterEach, describe, expect, it } from 'vitest';
import type { Socket } from 'node:net';
import type { LeaveHow } from './session.ts';
import { lookAt } from './socket-proof.ts';
import type { Kit, Peer } from './test-kit.ts';
import { LAST_CHUNK, MARKER, STREAM_HEAD, chunk, createKit, eventOf, eventually, requestOf, startPeer } from './test-kit.ts';

const open: { peer: Peer; kit: Kit }[] = [];
afterEach(async () => {
  for (const { peer, kit } of open.splice(0)) {
    kit.session.destroy();
    await peer.close();
  }
});

/** A client that has received one event of a stream that stays open. */
const streaming = async (
  onRequest = (socket: Socket): unknown => socket.write(STREAM_HEAD + chunk(eventOf(1))),
): Promise<{ peer: Peer; kit: Kit }> => {
  const peer = await startPeer(onRequest);
  const kit = createKit(peer);
  open.push({ peer, kit });
  await kit.session.send(requestOf());
  await kit.session.until(({ received }) => received.events > 0, 5_000);
  return { peer, kit };
};

describe('leaving', () => {
  it.each<{ how: LeaveHow; seen: string; after: RegExp }>([
    { how: 'fin', seen: '1:fin', after: /^fin-wait-[12]$/ },
    { how: 'half-close', seen: '1:fin', after: /^fin-wait-[12]$/ },
    { how: 'rst', seen: '1:rst', after: /^gone$/ },
  ])('by $how is seen as $seen', async ({ how, seen, after }) => {
    const { peer, kit } = await streaming();
    const left = await kit.session.leave(how, 'gone');
    await peer.waitFor(seen);
    expect(peer.seen).toEqual(['1:data', seen]);
    expect(left).toMatchObject({ how, wire: seen.slice(2), marker: MARKER, unreadBytes: 0, socket: { before: 'established' } });
    expect(left.socket.after).toMatch(after);
    const types = kit.told.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['mark', 'left']);
    expect(kit.of('mark')[0]!.atMs).toBeLessThanOrEqual(kit.of('left')[0]!.atMs);
    expect(types).not.toContain('response-ended');
  });

  it('by fin answers the next bytes with RST, by half-close reads them', async () => {
    const full = await streaming();
    await full.kit.session.leave('fin', null);
    await full.peer.waitFor('1:fin');
    // The kernel tells a writer that no longer reads of the RST at its next write only.
    await eventually(
      () => full.peer.seen.includes('1:rst') || !full.peer.sockets[0]!.write(chunk(eventOf(2))),
      () => 'the RST',
    );
    await full.peer.waitFor('1:rst');
    expect(full.peer.seen).toEqual(['1:data', '1:fin', '1:rst']);
    expect(full.kit.of('received').at(-1)).toMatchObject({ events: 1 });
    expect(full.kit.of('mark')).toEqual([]);

    const half = await streaming();
    await half.kit.session.leave('half-close', null);
    await half.peer.waitFor('1:fin');
    half.peer.sockets[0]!.end(chunk(eventOf(2)) + LAST_CHUNK);
    await half.kit.waitFor('response-ended');
    expect(half.kit.of('response-ended')[0]).toMatchObject({ how: 'complete', events: 2 });
    expect(half.peer.seen).not.toContain('1:rst');
  });

  it('by fin with unread data is an RST, and says so', async () => {
    const { peer, kit } = await streaming();
    kit.session.pause();
    await new Promise((resolve) => peer.sockets[0]!.write(chunk(eventOf(2)), resolve));
    await eventually(
      () => kit.session.look().unreadBytes > 0,
      () => 'unread bytes',
    );
    const left = await kit.session.leave('fin', 'gone');
    await peer.waitFor('1:rst');
    expect(peer.seen).toEqual(['1:data', '1:rst']);
    expect(left).toMatchObject({
      how: 'fin',
      wire: 'rst',
      unreadBytes: Buffer.byteLength(chunk(eventOf(2))),
      socket: { before: 'established', after: 'gone' },
    });
  });

  it('by fin while paused with nothing unread is a FIN', async () => {
    const { peer, kit } = await streaming();
    kit.session.pause();
    expect(await kit.session.leave('fin', null)).toMatchObject({ wire: 'fin', unreadBytes: 0 });
    await peer.waitFor('1:fin');
    expect(peer.seen).toEqual(['1:data', '1:fin']);
  });

  it('by half-close while paused with unread data is a FIN and reads nothing', async () => {
    const { peer, kit } = await streaming();
    kit.session.pause();
    await new Promise((resolve) => peer.sockets[0]!.write(chunk(eventOf(2)), resolve));
    await eventually(
      () => kit.session.look().unreadBytes > 0,
      () => 'unread bytes',
    );
    expect(await kit.session.leave('half-close', null)).toMatchObject({ wire: 'fin' });
    await peer.waitFor('1:fin');
    expect(kit.session.received.events).toBe(1);
  });

  it('from a stream that never rests says of each close what the peer saw', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { peer, kit } = await streaming((socket) => {
        socket.write(STREAM_HEAD);
        let number = 0;
        const timer = setInterval(() => socket.write(chunk(eventOf((number += 1)))), 1);
        socket
          .on('close', () => clearInterval(timer))
          .on('error', () => clearInterval(timer))
          .on('end', () => clearInterval(timer));
      });
      const left = await kit.session.leave('fin', null);
      await eventually(
        () => peer.seen.length > 1,
        () => 'the leave at the peer',
      );
      expect(peer.seen[1]).toBe(`1:${left.wire}`);
    }
  });

  it('says that nothing went out where the system had closed before', async () => {
    const { peer, kit } = await streaming();
    peer.sockets[0]!.resetAndDestroy();
    await kit.waitFor('response-ended');
    expect(await kit.session.leave('fin', 'gone')).toMatchObject({
      how: 'fin',
      wire: 'nothing',
      socket: { before: 'gone', after: 'gone' },
    });
    expect(kit.of('mark')).toMatchObject([{ mark: 'gone', client: 'alice' }]);
  });

  it('by fin after a half-close sends nothing more', async () => {
    const { peer, kit } = await streaming();
    await kit.session.leave('half-close', null);
    await peer.waitFor('1:fin');
    expect(await kit.session.leave('fin', null)).toMatchObject({
      wire: 'nothing',
      socket: { before: expect.stringMatching(/^fin-wait-[12]$/) },
    });
  });

  it('by rst after a half-close is an RST', async () => {
    const { peer, kit } = await streaming();
    await kit.session.leave('half-close', null);
    await peer.waitFor('1:fin');
    expect(await kit.session.leave('rst', null)).toMatchObject({
      wire: 'rst',
      socket: { before: expect.stringMatching(/^fin-wait-[12]$/), after: 'gone' },
    });
    // The peer has read the FIN and reads no more, so its kernel is asked.
    const socket = peer.sockets[0]!;
    const isGone = (): boolean =>
      lookAt(`127.0.0.1:${peer.port}`, `127.0.0.2:${socket.remotePort}`, '127.0.0.2').state === 'gone';
    await eventually(isGone, () => "the end of the peer's socket");
  });
});

describe('a crowd', () => {
  const crowdOf = async (count: number): Promise<{ peer: Peer; kits: readonly Kit[] }> => {
    const peer = await startPeer((socket) => socket.write(STREAM_HEAD + chunk(eventOf(1))));
    const kits = Array.from({ length: count }, () => createKit(peer));
    open.push(...kits.map((kit) => ({ peer, kit })));
    await Promise.all(kits.map(async ({ session }) => {
      await session.send(requestOf());
      await session.until(({ received }) => received.events > 0, 10_000);
    }));
    return { peer, kits };
  };

  it.each(['fin', 'rst', 'half-close'] as const)('of a hundred leaves by %s within one turn, each seen at the other side', async (how) => {
    const { peer, kits } = await crowdOf(100);
    const begun: number[] = [];
    const lefts = await Promise.all(kits.map(async ({ session }, index) => {
      const left = await session.leave(how, `gone-${index}`);
      begun.push(kits.filter(({ of }) => of('mark').length === 1).length);
      return left;
    }));
    const wire = how === 'rst' ? 'rst' : 'fin';
    expect(new Set(lefts.map((left) => left.wire))).toEqual(new Set([wire]));
    // Nobody is back from its act before everybody has begun: the marks are all there when the first returns.
    expect(begun[0]).toBe(100);
    const marksMs = kits.map(({ of }) => of('mark')[0]!.atMs);
    expect(Math.max(...marksMs) - Math.min(...marksMs)).toBeLessThan(1_000);
    await eventually(
      () => peer.seen.filter((event) => event.endsWith(`:${wire}`)).length === 100,
      () => `100 times ${wire} at the peer, of which ${peer.seen.filter((event) => event.endsWith(`:${wire}`)).length} came`,
    );
  });

  it('tells apart who resets for its unread bytes and who does not', async () => {
    const { peer, kits } = await crowdOf(6);
    const deaf = kits.slice(0, 2);
    for (const { session } of deaf) session.pause();
    await Promise.all(peer.sockets.map((socket) => new Promise((resolve) => socket.write(chunk(eventOf(2)), resolve))));
    for (const { session } of deaf) {
      await eventually(
        () => session.look().unreadBytes > 0,
        () => 'unread bytes',
      );
    }
    const lefts = await Promise.all(kits.map(({ session }) => session.leave('fin', null)));
    expect(lefts.map(({ wire }) => wire)).toEqual(['rst', 'rst', 'fin', 'fin', 'fin', 'fin']);
    const count = (how: string): number => peer.seen.filter((event) => event.endsWith(how)).length;
    await eventually(
      () => count(':fin') === 4 && count(':rst') === 2,
      () => `four FIN and two RST at the peer (seen: ${peer.seen.join(' ')})`,
    );
  });
});
