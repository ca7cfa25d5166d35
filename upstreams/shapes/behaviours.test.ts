// All behaviours in all shapes, streamed and whole: what a behaviour means does not depend on how it is written.
import { describe, expect, it } from 'vitest';
import { markersIn } from '../../harness/model/marker.ts';
import { chat, chunkedBody, MARKER, openPeer, start, until } from '../fixture.ts';
import type { Peer, Started } from '../fixture.ts';
import { shapes } from './registry.ts';

const cases = shapes.all.flatMap((shape) => [true, false].map((stream) => [shape.kind, stream, shape] as const));
const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(new RegExp(`${MARKER} (\\d+) `, 'g'))].map(([, number]) => Number(number));
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe.each(cases)('%s (stream: %s)', (kind, stream, shape) => {
  const open = async (behaviour: string, options = {}): Promise<readonly [Started, Peer]> => {
    const started = await start(behaviour, options, { shape: kind });
    return [started, openPeer(started.port, chat({ user: MARKER, stream }))];
  };
  const bodyOf = (peer: Peer) => chunkedBody(peer.text());
  const isWhole = (body: string): boolean => {
    if (kind === 'plain') return true;
    if (!stream) return JSON.parse(body) !== null;
    return /data: \[DONE\]\n\n$|"type":"response\.completed".*\n\n$|"type":"message_stop"}\n\n$|"done":true.*\n$/.test(body);
  };

  it('finite: all events, and the message is whole', async () => {
    const [started, peer] = await open('finite', { events: 12, every: 0 });
    await using _closed = started;
    const ended = await started.facts.await('answer-ended');
    await peer.awaitText('\r\n0\r\n\r\n');
    const { body, complete } = bodyOf(peer);
    expect(complete && isWhole(body)).toBe(true);
    expect(numbersIn(body).slice(0, 12)).toEqual(upTo(12));
    expect(ended).toMatchObject({ how: 'complete', events: 12, bytes: body.length, usage: kind === 'plain' ? null : 12 });
  });

  it('silent: its event, and then nothing; let finish, it is whole', async () => {
    const [started, peer] = await open('silent');
    await using _closed = started;
    await peer.awaitText(`${MARKER} 1 `);
    expect(bodyOf(peer).complete).toBe(false);
    expect(started.facts.of('answer-ended')).toEqual([]);
    expect(started.upstreams.finish('model')).toEqual({ count: 1 });
    await peer.awaitText('\r\n0\r\n\r\n');
    expect(isWhole(bodyOf(peer).body)).toBe(true);
  });

  it('endless: event after event', async () => {
    const [started, peer] = await open('endless', { every: '1ms' });
    await using _closed = started;
    await peer.awaitText(`${MARKER} 12 `);
    expect(numbersIn(bodyOf(peer).body).slice(0, 12)).toEqual(upTo(12));
    expect(started.facts.of('answer-ended')).toEqual([]);
  });

  it.skipIf(shape.stream.comment === null)('sse-keepalive: bytes, and no event; let finish, it is whole', async () => {
    const [started, peer] = await open('sse-keepalive', { every: '1ms' });
    await using _closed = started;
    const told = await until('three comments', () => started.facts.of('answer-progress').find(({ comments }) => comments >= 3));
    expect(told.events).toBe(0);
    expect(numbersIn(peer.text())).toEqual([]);
    started.upstreams.finish('model');
    await peer.awaitText('\r\n0\r\n\r\n');
    expect(isWhole(bodyOf(peer).body)).toBe(true);
  });

  it('flood: as fast as it is read, in order, up to its size', async () => {
    const [started, peer] = await open('flood', { 'at-most': '300KiB', 'event-size': '200B' });
    await using _closed = started;
    const ended = await started.facts.await('answer-ended');
    await peer.awaitText('\r\n0\r\n\r\n');
    const { body } = bodyOf(peer);
    expect(isWhole(body)).toBe(true);
    expect(body.length).toBe(ended.bytes);
    expect(body.length).toBeGreaterThan(300 * 1024);
    expect(numbersIn(body)).toEqual(upTo(ended.events));
  });

  it('header-wait: nothing at all', async () => {
    const [started, peer] = await open('header-wait');
    await using _closed = started;
    await started.facts.await('request-received');
    await openPeer(started.port, 'GET /v1/models HTTP/1.1\r\nhost: model\r\n\r\n').awaitText('gpt-test');
    expect(peer.text()).toBe('');
  });

  it('error-status: the error of its API', async () => {
    const [started, peer] = await open('error-status', { status: 429 });
    await using _closed = started;
    await started.facts.await('answer-ended');
    const [head, body] = (await peer.awaitText('}')).split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1\.1 429 /);
    expect(head).toContain(`content-length: ${body.length}`);
    expect(body).toBe(shape.error(429));
  });

  it('truncated: some events and no end', async () => {
    const [started, peer] = await open('truncated', { events: 3, every: 0, how: 'fin' });
    await using _closed = started;
    expect(await peer.awaitEnd()).toBe('fin');
    const { body, complete } = bodyOf(peer);
    expect(complete).toBe(false);
    expect(numbersIn(body)).toEqual(upTo(3));
    if (kind !== 'plain') expect(() => expect(isWhole(body)).toBe(true)).toThrow();
  });

  it('carries no marker but its own', async () => {
    const [started, peer] = await open('finite', { events: 3, every: 0 });
    await using _closed = started;
    await peer.awaitText('\r\n0\r\n\r\n');
    expect(markersIn(peer.text())).toEqual([MARKER]);
  });
});
