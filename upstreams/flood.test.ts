// The upstream that writes as fast as its socket takes it: distinct events, honest backpressure,
// flat memory, and a loop that still sees everybody else.
import { describe, expect, it } from 'vitest';
import { nowMs } from '../harness/model/time.ts';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, start, until } from './fixture.ts';

const MIB = 1024 * 1024;

it('numbers its events without a gap and ends at its limit with usage and end mark', async () => {
  await using started = await start('flood', { 'at-most': '3MiB' });
  const peer = openPeer(started.port, chat());
  const ended = await started.facts.await('answer-ended');
  const { body, complete } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
  const numbers = eventNumbers(body);
  expect(complete).toBe(true);
  expect(numbers.length).toBe(ended.events);
  expect(numbers.every((number, index) => number === index + 1)).toBe(true);
  expect(ended).toMatchObject({ how: 'complete', by: 'script', bytes: body.length, usage: numbers.length });
  const ofEvents = body.indexOf('"choices":[]');
  expect(ofEvents).toBeGreaterThanOrEqual(3 * MIB);
  expect(ofEvents).toBeLessThan(3 * MIB + 500);
});

it('writes events of the size that is asked for', async () => {
  await using started = await start('flood', { 'at-most': '1MiB', 'event-size': '8KiB' });
  openPeer(started.port, chat());
  const { events, bytes } = await started.facts.await('answer-ended');
  expect(events).toBe(128);
  expect(bytes / events).toBeGreaterThan(8_190);
  expect(bytes / events).toBeLessThan(8_250);
});

it('floods a document not streamed as valid JSON', async () => {
  await using started = await start('flood', { 'at-most': '200KiB' });
  const peer = openPeer(started.port, chat({ user: MARKER, stream: false }));
  const { events } = await started.facts.await('answer-ended');
  const { body } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
  const answer = JSON.parse(body) as { choices: { message: { content: string } }[]; usage: { total_tokens: number } };
  expect(answer.usage.total_tokens).toBe(events);
  expect(answer.choices[0]!.message.content.trim().split(`${MARKER} `)).toHaveLength(events + 1);
});

describe('a peer that stops reading', () => {
  it('blocks it, which is told with the moment, and drains it when it reads again', async () => {
    await using started = await start('flood', { 'at-most': '64GiB' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText('data:');
    const pausedMs = nowMs();
    peer.socket.pause();
    const { queuedBytes, atMs } = await started.facts.await('write-blocked');
    expect(queuedBytes).toBeGreaterThan(0);
    expect(queuedBytes).toBeLessThanOrEqual(65 * 1024);
    expect(atMs).toBeGreaterThan(pausedMs - 1_000);
    expect(started.facts.of('write-drained')).toEqual([]);
    const { bytes } = started.facts.of('answer-progress').at(-1)!;
    peer.socket.resume();
    await started.facts.await('write-drained');
    await until('more bytes after the drain', () => started.facts.of('answer-progress').at(-1)!.bytes > bytes);
    peer.socket.destroy();
    await started.facts.await('answer-ended');
  });

  it('is seen leaving by FIN while blocked, with the totals of that moment', async () => {
    await using started = await start('flood', { 'at-most': '64GiB' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText('data:');
    peer.socket.pause();
    await started.facts.await('write-blocked');
    peer.socket.end();
    const fin = await started.facts.await('peer-closed');
    expect(fin).toMatchObject({ how: 'fin', exchange: 1 });
    expect(fin.events).toBe(started.facts.of('answer-progress').at(-1)!.events);
    peer.socket.resetAndDestroy();
    expect(await started.facts.await('peer-closed', 2)).toMatchObject({ how: 'rst', bytes: fin.bytes });
  });
});

it('says nothing of blocks to a peer that reads, at most one progress in 50 ms, and keeps its memory flat', async () => {
  await using started = await start('flood', { 'at-most': '64GiB' });
  const peer = openPeer(started.port);
  peer.socket.removeAllListeners('data').on('data', () => undefined);
  peer.socket.write(chat());
  const told = (bytes: number) => until(`${bytes} bytes`, () => started.facts.of('answer-progress').find((fact) => fact.bytes >= bytes));
  const early = await told(64 * MIB);
  const earlyRss = process.memoryUsage.rss();
  const late = await told(512 * MIB);
  expect(process.memoryUsage.rss() - earlyRss).toBeLessThan(128 * MIB);
  const between = started.facts.of('answer-progress').filter((fact) => fact.atMs > early.atMs && fact.atMs <= late.atMs);
  expect(between.length).toBeLessThanOrEqual((late.atMs - early.atMs) / 50 + 1);
  // Others have their turns meanwhile, and a leave is seen at once.
  await openPeer(started.port, 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n').awaitText('gpt-test');
  peer.socket.end();
  expect(await started.facts.await('peer-closed')).toMatchObject({ how: 'fin' });
});
