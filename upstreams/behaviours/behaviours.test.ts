// Each behaviour as a peer on a real socket sees it, and as the upstream itself tells of it.
import { describe, expect, it } from 'vitest';
import { chat, chunkedBody, eventNumbers, MARKER, openPeer, start, until } from '../fixture.ts';

describe('finite', () => {
  it('writes its events, usage, end mark and the end of the message, and keeps the connection', async () => {
    await using started = await start('finite', { events: 5, every: '1ms' });
    const peer = openPeer(started.port, chat());
    const ended = await started.facts.await('answer-ended');
    const { body, complete } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
    expect(complete).toBe(true);
    expect(eventNumbers(body)).toEqual([1, 2, 3, 4, 5]);
    expect(body).toContain('"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":5,"total_tokens":5}');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(ended).toMatchObject({ exchange: 1, marker: MARKER, how: 'complete', by: 'script', events: 5, bytes: body.length, usage: 5 });
    expect(peer.ended()).toBeNull();
  });

  it('writes valid events of the chat shape', async () => {
    await using started = await start('finite', { events: 2, every: 0 });
    const peer = openPeer(started.port, chat());
    const { body } = chunkedBody(await peer.awaitText('[DONE]'));
    const [first] = body.split('\n\n');
    expect(JSON.parse(first!.replace(/^data: /, ''))).toEqual({
      id: `chatcmpl-${MARKER}`, object: 'chat.completion.chunk', created: expect.any(Number), model: 'gpt-test',
      choices: [{ index: 0, delta: { content: `${MARKER} 1 ` }, finish_reason: null }],
    });
  });

  it('answers a request not streamed with one JSON document', async () => {
    await using started = await start('finite', { events: 3, every: 0 });
    const peer = openPeer(started.port, chat({ user: MARKER, stream: false }));
    const { body, complete } = chunkedBody(await peer.awaitText('0\r\n\r\n'));
    expect(complete).toBe(true);
    expect(peer.text()).toContain('content-type: application/json\r\n');
    expect(JSON.parse(body)).toEqual({
      id: `chatcmpl-${MARKER}`, object: 'chat.completion', created: expect.any(Number), model: 'gpt-test',
      choices: [{ index: 0, message: { role: 'assistant', content: `${MARKER} 1 ${MARKER} 2 ${MARKER} 3 ` }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 3, total_tokens: 3 },
    });
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'complete', events: 3, usage: 3 });
  });
});

describe('silent', () => {
  it('writes one event and then holds the connection', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port, chat());
    await peer.awaitText('data:');
    expect(await started.facts.await('answer-progress')).toMatchObject({ events: 1, comments: 0 });
    expect(eventNumbers(peer.text())).toEqual([1]);
    expect(started.facts.of('answer-ended')).toEqual([]);
    expect(peer.ended()).toBeNull();
  });

  it('not streamed: begins the document and leaves it open', async () => {
    await using started = await start('silent');
    const peer = openPeer(started.port, chat({ user: MARKER, stream: false }));
    const text = await peer.awaitText(`"content":"`);
    expect(chunkedBody(text)).toMatchObject({ complete: false });
    expect(chunkedBody(await peer.awaitText(`${MARKER} 1 `)).body).toMatch(/"content":"hx\.alice\.1\.9f3a01bc 1 $/);
  });
});

describe('endless', () => {
  it('writes events for ever, each with its number', async () => {
    await using started = await start('endless', { every: '5ms' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText(`${MARKER} 12 `);
    expect(eventNumbers(peer.text()).slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const progress = started.facts.of('answer-progress');
    expect(progress.every((fact, index) => index === 0 || fact.events >= progress[index - 1]!.events)).toBe(true);
    expect(started.facts.of('answer-ended')).toEqual([]);
  });
});

describe('sse-keepalive', () => {
  it('writes comments only', async () => {
    await using started = await start('sse-keepalive', { every: '5ms' });
    const peer = openPeer(started.port, chat());
    await peer.awaitText(': keepalive\n\n');
    const told = await until('three comments told', () => started.facts.of('answer-progress').find((fact) => fact.comments >= 3));
    expect(told.events).toBe(0);
    expect(peer.text()).not.toContain('data:');
  });

  it('may begin with events', async () => {
    await using started = await start('sse-keepalive', { every: '5ms', events: 2 });
    const peer = openPeer(started.port, chat());
    await peer.awaitText(': keepalive\n\n');
    expect(eventNumbers(peer.text())).toEqual([1, 2]);
  });
});

describe('header-wait', () => {
  it('reads the request and writes nothing', async () => {
    await using started = await start('header-wait');
    const peer = openPeer(started.port, chat());
    expect(await started.facts.await('request-received')).toMatchObject({ marker: MARKER, behaviour: 'header-wait', method: 'POST' });
    // The next connection is served: the silence of the first is not that of the process.
    await openPeer(started.port, 'GET /v1/models HTTP/1.1\r\nhost: model\r\n\r\n').awaitText('gpt-test');
    expect(peer.text()).toBe('');
    expect(started.facts.of('head-written').map((fact) => fact.exchange)).toEqual([2]);
  });
});

describe('refused', () => {
  it('listens nowhere', async () => {
    await using started = await start('refused');
    expect(started.port).toBeGreaterThan(0);
    const peer = openPeer(started.port);
    expect(await peer.awaitEnd()).toBe('rst');
    expect(started.facts.all).toEqual([]);
    expect(await started.upstreams.stop('model')).toEqual({ count: 0 });
  });
});

describe('error-status', () => {
  it.each([500, 429])('answers %d with a JSON body of announced length', async (status) => {
    await using started = await start('error-status', { status });
    const peer = openPeer(started.port, chat());
    const text = await peer.awaitText('}}');
    const [head, body] = text.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(body)).toMatchObject({ error: { code: status } });
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'complete', by: 'script', events: 0, usage: null });
  });
});

describe('unfinished', () => {
  it('says everything, end mark included, and never ends the message', async () => {
    await using started = await start('unfinished', { events: 3, every: '1ms' });
    const peer = openPeer(started.port, chat());
    const { body, complete } = chunkedBody(await peer.awaitText('[DONE]'));
    expect(complete).toBe(false);
    expect(eventNumbers(body)).toEqual([1, 2, 3]);
    expect(body).toContain('"completion_tokens":3');
    peer.socket.resetAndDestroy();
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'aborted', by: 'peer', events: 3 });
  });
});

describe('truncated', () => {
  it.each(['fin', 'rst'] as const)('ends by %s in the middle of the body', async (how) => {
    await using started = await start('truncated', { events: 3, every: '1ms', how });
    const peer = openPeer(started.port, chat());
    expect(await peer.awaitEnd()).toBe(how);
    const { body, complete } = chunkedBody(peer.text());
    expect(complete).toBe(false);
    expect(eventNumbers(body)).toEqual([1, 2, 3]);
    expect(await started.facts.await('answer-ended')).toMatchObject({ how: 'cut', by: 'script', events: 3, usage: null });
    peer.socket.end();
    expect(await started.facts.await('connection-closed')).toMatchObject({ by: 'self', how });
    expect(started.facts.of('peer-closed').filter((fact) => fact.how === 'rst')).toEqual([]);
  });
});
