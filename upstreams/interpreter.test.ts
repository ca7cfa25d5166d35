// Each instruction of the algebra on a real socket, in programs that no behaviour is made of yet.
import { describe, expect, it } from 'vitest';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, startProgram, until } from './fixture.ts';
import { run } from './interpreter.ts';

describe('framing', () => {
  it('writes a body in chunks where the head did not announce its length', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200, headers: { 'content-type': 'text/plain', 'x-extra': 'yes' } },
      { do: 'comment', text: 'grüß dich' }, { do: 'body', text: 'ä' }, { do: 'finish' },
    ]);
    const peer = openPeer(running.port, chat());
    const text = await peer.awaitText('0\r\n\r\n');
    expect(text).toContain('content-type: text/plain\r\n');
    expect(text).toContain('x-extra: yes\r\n');
    const { body, complete } = chunkedBody(text);
    expect(Buffer.from(body, 'latin1').toString()).toBe(': grüß dich\n\nä');
    expect(complete).toBe(true);
    expect(await running.facts.await('answer-ended')).toMatchObject({ how: 'complete', bytes: body.length, events: 0 });
  });

  it('announces the length of a body that follows its head', async () => {
    await using running = await startProgram([{ do: 'head', status: 203 }, { do: 'body', text: 'äöü' }, { do: 'finish' }]);
    const text = await openPeer(running.port, chat()).awaitText('\r\n\r\nÃ¤');
    expect(text).toContain('HTTP/1.1 203 ');
    expect(text).toContain('content-length: 6\r\n');
    expect(text).not.toContain('transfer-encoding');
  });

  it('writes raw bytes past the framing', async () => {
    const raw = { do: 'raw', bytes: 'zz\r\nno chunk' } as const;
    await using running = await startProgram([{ do: 'head', status: 200 }, raw, { do: 'close', how: 'fin' }]);
    const peer = openPeer(running.port, chat());
    expect(await peer.awaitEnd()).toBe('fin');
    expect(peer.text().endsWith('\r\n\r\nzz\r\nno chunk')).toBe(true);
  });

  it('ends the message of a program that runs out', async () => {
    await using running = await startProgram([{ do: 'head', status: 200 }, { do: 'event' }]);
    const { complete } = chunkedBody(await openPeer(running.port, chat()).awaitText('0\r\n\r\n'));
    expect(complete).toBe(true);
    expect(await running.facts.await('answer-ended')).toMatchObject({ how: 'complete', by: 'script', events: 1, usage: null });
  });

  it('writes nothing of the body in answer to HEAD', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 }, { do: 'repeat', times: 'forever', body: [{ do: 'event' }, { do: 'wait', ms: 1 }] },
    ]);
    const peer = openPeer(running.port, `HEAD /${MARKER} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await running.facts.await('answer-ended')).toMatchObject({ how: 'complete', bytes: 0, events: 0 });
    expect(await peer.awaitText('\r\n\r\n')).toMatch(/\r\n\r\n$/);
  });
});

describe('repeat', () => {
  it('counts its rounds, also nested, also none', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 },
      { do: 'repeat', times: 3, body: [{ do: 'repeat', times: 2, body: [{ do: 'event' }] }, { do: 'comment', text: 'c' }] },
      { do: 'repeat', times: 0, body: [{ do: 'event' }] },
      { do: 'repeat', times: 2, body: [] },
      { do: 'finish' },
    ]);
    const { body } = chunkedBody(await openPeer(running.port, chat()).awaitText('0\r\n\r\n'));
    expect(eventNumbers(body)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await running.facts.await('answer-ended')).toMatchObject({ events: 6, how: 'complete' });
    expect(running.facts.of('answer-progress').at(-1)).toMatchObject({ events: 6, comments: 3 });
  });

  it('runs long counts of single events exactly', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 }, { do: 'repeat', times: 12_345, body: [{ do: 'event' }] }, { do: 'usage' }, { do: 'finish' },
    ]);
    const { body } = chunkedBody(await openPeer(running.port, chat()).awaitText('0\r\n\r\n'));
    expect(eventNumbers(body)).toHaveLength(12_345);
    expect(eventNumbers(body).at(-1)).toBe(12_345);
    expect(body).toContain('"total_tokens":12345');
  });

  it('stops at its limit of bytes, in rounds of several instructions too', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 },
      { do: 'repeat', times: 'forever', atMostBytes: 100_000, body: [{ do: 'event' }, { do: 'comment', text: 'x' }] },
      { do: 'finish' },
    ]);
    openPeer(running.port, chat());
    const { bytes } = await running.facts.await('answer-ended');
    expect(bytes).toBeGreaterThanOrEqual(100_000);
    expect(bytes).toBeLessThan(100_500);
  });
});

describe('close', () => {
  it('half: ends its own direction, and goes on listening', async () => {
    await using running = await startProgram([{ do: 'head', status: 200 }, { do: 'event' }, { do: 'close', how: 'half' }]);
    const peer = openPeer(running.port, chat());
    expect(await peer.awaitEnd()).toBe('fin');
    expect(running.facts.of('answer-ended')).toMatchObject([{ how: 'cut', by: 'script', events: 1 }]);
    expect(running.facts.of('connection-closed')).toEqual([]);
    peer.socket.write(chat());
    peer.socket.end();
    expect(await running.facts.await('peer-closed')).toMatchObject({ how: 'fin', exchange: null });
    expect(await running.facts.await('connection-closed')).toMatchObject({ by: 'self', how: 'fin' });
    expect(running.facts.of('request-received')).toHaveLength(1);
  });

  it('never: stays as it is', async () => {
    await using running = await startProgram([{ do: 'head', status: 200 }, { do: 'event' }, { do: 'close', how: 'never' }]);
    const peer = openPeer(running.port, chat());
    await peer.awaitText('data:');
    peer.socket.end();
    await running.facts.await('peer-closed');
    expect(peer.ended()).toBeNull();
    expect(running.facts.of('answer-ended')).toEqual([]);
  });

  it('rst: comes after what was written has been taken', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 }, { do: 'repeat', times: 40_000, body: [{ do: 'event' }] }, { do: 'close', how: 'rst' },
    ]);
    const peer = openPeer(running.port, chat());
    expect(await peer.awaitEnd()).toBe('rst');
    const { events } = await running.facts.await('answer-ended');
    expect(events).toBe(40_000);
    expect(await running.facts.await('connection-closed')).toMatchObject({ by: 'self', how: 'rst' });
  });

  it('after a finished message the answer was complete, and what follows the end is not written', async () => {
    await using running = await startProgram([
      { do: 'head', status: 200 }, { do: 'event' }, { do: 'finish' }, { do: 'event' }, { do: 'close', how: 'fin' },
    ]);
    const peer = openPeer(running.port, chat());
    expect(await peer.awaitEnd()).toBe('fin');
    const { complete, body, rest } = chunkedBody(peer.text());
    expect([complete, eventNumbers(body), rest]).toEqual([true, [1], '']);
    expect(await running.facts.await('answer-ended')).toMatchObject({ how: 'complete', by: 'script', events: 1 });
  });
});

it('waits before it goes on, also where it is blocked meanwhile', async () => {
  await using running = await startProgram([
    { do: 'head', status: 200 }, { do: 'repeat', times: 60_000, body: [{ do: 'event' }] }, { do: 'comment', text: 'before' },
    { do: 'wait', ms: 30 }, { do: 'comment', text: 'after' }, { do: 'finish' },
  ]);
  const peer = openPeer(running.port, chat());
  await peer.awaitText('data:');
  peer.socket.pause();
  await running.facts.await('write-blocked');
  peer.socket.resume();
  await running.facts.await('answer-ended');
  const { body, complete } = chunkedBody(await peer.awaitText(': after\n\n\r\n0\r\n\r\n'));
  expect(complete).toBe(true);
  expect(body.split(': after').length).toBe(2);
  expect(eventNumbers(body)).toHaveLength(60_000);
  await until('the connection is idle', () => running.facts.of('answer-ended').length === 1);
});

it('is not complete whose last write failed', async () => {
  const pause = { do: 'wait', ms: 40 } as const;
  await using running = await startProgram([
    { do: 'head', status: 200 }, { do: 'event' }, pause, { do: 'comment', text: 'x' }, pause, { do: 'usage' }, { do: 'finish' },
  ]);
  const peer = openPeer(running.port, chat());
  await peer.awaitText('data:');
  // The comment draws the reset, and the end of the answer meets it.
  peer.socket.destroy();
  await running.facts.await('connection-closed');
  expect(running.facts.of('answer-ended')).toMatchObject([{ how: 'aborted', by: 'peer', events: 1, usage: null }]);
  expect(running.facts.of('peer-closed').map((fact) => fact.how)).toEqual(['fin', 'rst']);
});

it('is not hurried by a call while it waits', async () => {
  await using running = await startProgram([
    { do: 'head', status: 200 }, { do: 'wait', ms: 300 }, { do: 'comment', text: 'after' }, { do: 'finish' },
  ]);
  const peer = openPeer(running.port, chat());
  const { atMs: sinceMs } = await running.facts.await('head-written');
  const [link] = running.upstream.links;
  // As a drain does that comes during a wait.
  run(link!.current!);
  const { atMs } = await running.facts.await('answer-ended');
  expect(atMs - sinceMs).toBeGreaterThanOrEqual(295);
  expect(chunkedBody(await peer.awaitText('0\r\n\r\n')).body).toBe(': after\n\n');
});
