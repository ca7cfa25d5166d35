// Steps in the client's process: what is awaited, what is said when it does not come, and when marks are set.
import { afterEach, describe, expect, it } from 'vitest';
import type { Socket } from 'node:net';
import type { Options } from '../model/fields.ts';
import { steps } from './registry.ts';
import type { StepResult } from './step.ts';
import type { Kit, Peer } from './test-kit.ts';
import { LAST_CHUNK, STREAM_HEAD, chunk, createKit, eventOf, requestOf, startPeer } from './test-kit.ts';

const open: { peer: Peer; kit: Kit }[] = [];
afterEach(async () => {
  for (const { peer, kit } of open.splice(0)) {
    kit.session.destroy();
    await peer.close();
  }
});

const start = async (
  answer: string | ((socket: Socket) => void),
): Promise<{ peer: Peer; kit: Kit; act: (kind: string, options: Options, mark?: string) => Promise<StepResult> }> => {
  const peer = await startPeer((socket) => (typeof answer === 'string' ? socket.write(answer) : answer(socket)));
  const kit = createKit(peer);
  open.push({ peer, kit });
  const act = (kind: string, options: Options, mark: string | null = null) => steps.get(kind)!.act!(kit.session, options, mark);
  expect(await act('request', { name: 'chat', outgoing: requestOf() }, 'asked')).toEqual({ outcome: 'done' });
  return { peer, kit, act };
};

const WITHIN = { within: 5_000 };
const TWO_EVENTS = STREAM_HEAD + chunk(eventOf(1)) + chunk(eventOf(2));

describe('request', () => {
  it('sets its mark before its first byte, and fails where nobody listens', async () => {
    const { kit, peer } = await start(TWO_EVENTS);
    const types = kit.told.map(({ type }) => type);
    expect(types.indexOf('mark')).toBeLessThan(types.indexOf('request-written'));
    await peer.close();
    kit.session.destroy();
    const result = await steps.get('request')!.act!(kit.session, { outgoing: requestOf() }, null);
    expect(result).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('receive', () => {
  it.each<[string, Options]>([
    ['events', { events: 2 }],
    ['bytes', { bytes: eventOf(1).length }],
    ['the head', { until: 'head' }],
    ['the first chunk', { until: 'first-chunk' }],
  ])('is done when %s came, and marks it afterwards', async (_what, options) => {
    const { kit, act } = await start(TWO_EVENTS);
    expect(await act('receive', { ...WITHIN, ...options }, 'seen')).toEqual({ outcome: 'done' });
    expect(kit.told.at(-1)).toMatchObject({ type: 'mark', mark: 'seen' });
    expect(kit.of('response-head').length).toBe(1);
  });

  it('is done at the end, and not before', async () => {
    const { peer, act } = await start(TWO_EVENTS);
    expect(await act('receive', { until: 'end', within: 50 })).toMatchObject({ outcome: 'not-seen' });
    const waiting = act('receive', { until: 'end', ...WITHIN });
    peer.sockets[0]!.write(LAST_CHUNK);
    expect(await waiting).toEqual({ outcome: 'done' });
  });

  it('goes on after the time that it was given, says what was there, and sets its mark', async () => {
    const { kit, act } = await start(TWO_EVENTS);
    await act('receive', { events: 2, ...WITHIN });
    const result = await act('receive', { events: 3, within: 30_000, 'or-after': 50 }, 'seen');
    expect(result).toEqual({
      outcome: 'not-seen',
      reason: `3 data events had not come within 50 ms: status 200, 2 data events, ${eventOf(1).length * 2} bytes, the answer was open`,
    });
    expect(kit.of('mark').at(-1)).toMatchObject({ mark: 'seen' });
  });

  it('does not wait for more of an answer that has ended', async () => {
    const { act } = await start(TWO_EVENTS + LAST_CHUNK);
    const beganMs = performance.now();
    expect(await act('receive', { events: 3, within: 15_000 })).toMatchObject({
      outcome: 'not-seen',
      reason: expect.stringContaining('the answer had ended'),
    });
    expect(performance.now() - beganMs).toBeLessThan(7_500);
  });

  it('does not take comments for events', async () => {
    const { act } = await start(STREAM_HEAD + chunk(': keepalive\n\n'));
    expect(await act('receive', { until: 'first-chunk', ...WITHIN })).toEqual({ outcome: 'done' });
    expect(await act('receive', { events: 1, within: 50 })).toMatchObject({ outcome: 'not-seen' });
  });
});

describe('expect-status', () => {
  it('tells the awaited status from another one, and from none', async () => {
    const { act } = await start('HTTP/1.1 504 Late\r\ncontent-length: 0\r\n\r\n');
    expect(await act('expect-status', { status: 504, ...WITHIN })).toEqual({ outcome: 'done' });
    expect(await act('expect-status', { status: 200, ...WITHIN }, 'told')).toEqual({
      outcome: 'not-seen',
      reason: 'status 200 was awaited: status 504 came',
    });
    const silent = await start(() => {});
    expect(await silent.act('expect-status', { status: 200, within: 50 })).toMatchObject({
      outcome: 'not-seen',
      reason: expect.stringContaining('no head came'),
    });
    const cut = await start((socket) => socket.end());
    expect(await cut.act('expect-status', { status: 200, ...WITHIN })).toMatchObject({
      reason: expect.stringContaining('ended without a head'),
    });
  });
});

describe('expect-close', () => {
  it('waits for FIN or RST', async () => {
    const { act } = await start((socket) => socket.end(TWO_EVENTS));
    expect(await act('expect-close', WITHIN)).toEqual({ outcome: 'done' });
    const reset = await start((socket) => socket.resetAndDestroy());
    expect(await reset.act('expect-close', WITHIN)).toEqual({ outcome: 'done' });
  });

  it('says how the socket was instead', async () => {
    const { act } = await start(TWO_EVENTS);
    expect(await act('expect-close', { within: 50 }, 'waited')).toEqual({
      outcome: 'not-seen',
      reason: 'the system had not closed the connection within 50 ms: the socket was established',
    });
  });

  it('cannot see a close while paused, and says so', async () => {
    const { peer, act } = await start(() => {});
    await act('pause', {});
    peer.sockets[0]!.end('HTTP/1.1 200 OK\r\n');
    await peer.waitFor('1:data');
    expect(await act('expect-close', { within: 100 })).toMatchObject({
      outcome: 'not-seen',
      reason: expect.stringContaining('the client is paused with 17 unread bytes'),
    });
  });
});

describe('disconnect', () => {
  it('is done when something went out, and not seen when there was nothing left to leave', async () => {
    const { kit, act } = await start(TWO_EVENTS);
    expect(await act('disconnect', { how: 'rst' }, 'gone')).toEqual({ outcome: 'done' });
    expect(kit.of('left')).toMatchObject([{ wire: 'rst' }]);
    const closed = await start((socket) => socket.end());
    await closed.act('expect-close', WITHIN);
    expect(await closed.act('disconnect', { how: 'fin' }, 'gone')).toEqual({
      outcome: 'not-seen',
      reason: 'there was no connection left to leave by fin: the system had closed it by FIN',
    });
    expect(closed.kit.of('mark').at(-1)).toMatchObject({ mark: 'gone' });
  });
});
