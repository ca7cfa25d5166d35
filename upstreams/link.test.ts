// Several requests on one connection, and requests that are none.
import { describe, expect, it } from 'vitest';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, OTHER_MARKER, start, until } from './fixture.ts';
import { DEFAULT_LIMITS } from './http/parser.ts';

const MODELS = 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n';
const statuses = (text: string): readonly string[] => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1]!);

describe('a kept connection', () => {
  it('carries several exchanges, each with totals of its own', async () => {
    await using started = await start('finite', { events: 2, every: 0 });
    const peer = openPeer(started.port, chat());
    await started.facts.await('answer-ended');
    peer.socket.write(chat({ user: OTHER_MARKER }));
    await started.facts.await('answer-ended', 2);
    const first = chunkedBody(await peer.awaitText(`${OTHER_MARKER} 2 `));
    const second = chunkedBody(first.rest);
    expect(eventNumbers(first.body)).toEqual([1, 2]);
    expect(eventNumbers(second.body, OTHER_MARKER)).toEqual([1, 2]);
    expect(started.facts.of('request-received')).toMatchObject([
      { connection: 1, exchange: 1, marker: MARKER }, { connection: 1, exchange: 2, marker: OTHER_MARKER },
    ]);
    expect(started.facts.of('answer-ended')).toMatchObject([{ exchange: 1, events: 2 }, { exchange: 2, events: 2 }]);
    expect(started.facts.of('connection-opened')).toHaveLength(1);
  });

  it('answers pipelined requests in order, however slow the first is', async () => {
    await using started = await start('finite', { events: 3, every: '10ms' });
    const peer = openPeer(started.port, chat() + MODELS + chat({ user: OTHER_MARKER }));
    await started.facts.await('answer-ended', 3);
    expect(started.facts.of('answer-ended').map((fact) => fact.exchange)).toEqual([1, 2, 3]);
    const text = await peer.awaitText(`${OTHER_MARKER} 3 `);
    expect(text.indexOf('gpt-test","object":"model"')).toBeGreaterThan(text.indexOf(`${MARKER} 3 `));
    expect(text.indexOf('gpt-test","object":"model"')).toBeLessThan(text.indexOf(OTHER_MARKER));
  });

  it('takes any number of pipelined requests that are answered at once', async () => {
    await using started = await start('endless');
    const peer = openPeer(started.port, MODELS.repeat(60));
    await started.facts.await('answer-ended', 60);
    await until('sixty answers', () => statuses(peer.text()).length === 60);
  });

  it('refuses, after the first answer, more waiting requests than it can hold', async () => {
    await using started = await start('finite', { events: 3, every: '20ms' });
    const peer = openPeer(started.port, chat() + MODELS.repeat(40));
    const text = await peer.awaitText('too many requests at once');
    expect(statuses(text)).toEqual(['200', ...Array.from({ length: 17 }, () => '200'), '400']);
    expect(await peer.awaitEnd()).toBe('fin');
  });

  it.each([
    ['asks for it', chat({ user: MARKER }, 'connection: close\r\n'), 'connection: close'],
    ['speaks HTTP/1.0', chat().replace('HTTP/1.1', 'HTTP/1.0'), 'connection: close'],
  ])('is closed after the answer where the peer %s', async (_why, request, says) => {
    await using started = await start('finite', { events: 2, every: 0 });
    const peer = openPeer(started.port, request);
    expect(await peer.awaitEnd()).toBe('fin');
    expect(peer.text()).toContain(says);
    expect(eventNumbers(peer.text())).toEqual([1, 2]);
    expect(peer.text().includes('transfer-encoding: chunked')).toBe(request.includes('HTTP/1.1'));
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'complete', by: 'script' });
    peer.socket.end();
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'self', how: 'fin' });
  });

  it('ends the waiting exchanges too when the peer resets', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port, chat() + chat({ user: OTHER_MARKER }));
    await started.facts.await('request-received', 2);
    await peer.awaitText('data:');
    peer.socket.resetAndDestroy();
    await started.facts.await('connection-closed');
    expect(started.facts.of('answer-ended')).toMatchObject([{ exchange: 1, how: 'aborted' }, { exchange: 2, how: 'aborted', bytes: 0 }]);
    expect(started.facts.of('peer-closed')).toMatchObject([{ exchange: 1 }]);
  });
});

describe('what arrives slowly or not at all', () => {
  it('asks for the body that waits for 100-continue', async () => {
    await using started = await start('silent');
    const request = chat({ user: MARKER }, 'expect: 100-continue\r\n');
    const head = request.slice(0, request.indexOf('\r\n\r\n') + 4);
    const peer = openPeer(started.port, head);
    expect(await peer.awaitText('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(started.facts.of('request-received')).toEqual([]);
    peer.socket.write(request.slice(head.length));
    await peer.awaitText('data:');
    expect(statuses(peer.text())).toEqual(['100', '200']);
  });

  it('understands a request that comes byte by byte', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port);
    peer.socket.setNoDelay(true);
    for (const byte of chat()) {
      peer.socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await peer.awaitText(`${MARKER} 1 `);
    expect(started.facts.of('request-received')).toHaveLength(1);
  });

  it('refuses and closes a request that does not arrive in time, and leaves idle connections alone', async () => {
    await using started = await start('silent', {}, {}, { ...DEFAULT_LIMITS, arrivalMs: 50 });
    const idle = openPeer(started.port);
    const served = openPeer(started.port, chat());
    const slow = openPeer(started.port, chat().slice(0, -1));
    expect(await slow.awaitEnd()).toBe('fin');
    expect(statuses(slow.text())).toEqual(['408']);
    await served.awaitText('data:');
    expect([idle.ended(), served.ended()]).toEqual([null, null]);
    // A peer that does not leave after the refusal is made to.
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'self', how: 'fin' });
  });
});

describe('what is no request', () => {
  it.each([
    ['garbage', '\0\x01\x02garbage\r\n\r\n', '400'],
    ['a malformed head', 'GET / HTTP/1.1\r\nno colon\r\n\r\n', '400'],
    ['an endless head', `GET / HTTP/1.1\r\na: ${'x'.repeat(200_000)}`, '431'],
    ['a body beyond the limit', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n', '413'],
  ])('%s is refused and the connection closed', async (_what, text, status) => {
    await using started = await start('endless');
    const peer = openPeer(started.port, text);
    expect(await peer.awaitEnd()).toBe('fin');
    expect(statuses(peer.text())).toEqual([status]);
    peer.socket.end();
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'self', how: 'fin' });
    expect(started.facts.of('request-received')).toEqual([]);
  });

  it('is refused after the answer to what came before it', async () => {
    await using started = await start('finite', { events: 2, every: '5ms' });
    const peer = openPeer(started.port, `${chat()}nonsense\r\n\r\n`);
    expect(await peer.awaitEnd()).toBe('fin');
    expect(statuses(peer.text())).toEqual(['200', '400']);
    expect(peer.text().indexOf('[DONE]')).toBeLessThan(peer.text().indexOf('HTTP/1.1 400'));
    expect(started.facts.of('answer-ended')).toMatchObject([{ how: 'complete' }]);
  });
});
