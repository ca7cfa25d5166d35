// What stands on the wire in each shape, read back by the rules of its format and not by our own readers.
import { describe, expect, it } from 'vitest';
import { chat, chunkedBody, MARKER, openPeer, start } from '../fixture.ts';
import { shapes } from './registry.ts';

type Json = Readonly<Record<string, any>>;

const ask = (kind: string, stream: boolean): string => {
  const path = shapes.get(kind)!.paths[0] ?? '/v1/chat/completions';
  return chat({ user: MARKER, stream }).replace('/v1/chat/completions', path);
};

/** The body of a finite answer of three events. */
const finite = async (kind: string, stream: boolean): Promise<string> => {
  await using started = await start('finite', { events: 3, every: 0 }, shapes.get(kind)!.paths.length === 0 ? { shape: kind } : {});
  const peer = openPeer(started.port, ask(kind, stream));
  const { body, complete } = chunkedBody(await peer.awaitText('\r\n0\r\n\r\n'));
  expect(complete).toBe(true);
  return body;
};

/** Name and data of each server-sent event. */
const eventsOf = (body: string): readonly (readonly [name: string | null, data: Json])[] => {
  expect(body.endsWith('\n\n')).toBe(true);
  return body.slice(0, -2).split('\n\n').map((event) => {
    const [, name, data] = /^(?:event: (.*)\n)?data: (.*)$/.exec(event) ?? [];
    return [name ?? null, JSON.parse(data!) as Json] as const;
  });
};

const TEXT = `${MARKER} 1 ${MARKER} 2 ${MARKER} 3 `;

describe('openai-responses', () => {
  it('streams typed events, numbered without a gap, up to the completed response', async () => {
    const events = eventsOf(await finite('openai-responses', true));
    for (const [name, data] of events) expect(data.type).toBe(name);
    expect(events.map(([, data]) => data.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(([name]) => name!.replace('response.', ''))).toEqual([
      'created', 'in_progress', 'output_item.added', 'content_part.added', ...Array(3).fill('output_text.delta'),
      'output_text.done', 'content_part.done', 'output_item.done', 'completed',
    ]);
    expect(events.filter(([name]) => name === 'response.output_text.delta').map(([, data]) => data.delta).join('')).toBe(TEXT);
    const { response } = events.at(-1)![1];
    const usage = { input_tokens: 0, output_tokens: 3, total_tokens: 3 };
    expect(response).toMatchObject({ object: 'response', status: 'completed', usage });
    expect(response.output[0].content[0]).toMatchObject({ type: 'output_text', text: TEXT });
    expect(events[0]![1].response).toMatchObject({ id: response.id, status: 'in_progress', usage: null });
  });

  it('is one document otherwise', async () => {
    expect(JSON.parse(await finite('openai-responses', false))).toMatchObject({
      object: 'response', status: 'completed', output: [{ type: 'message', role: 'assistant', content: [{ text: TEXT }] }],
      usage: { output_tokens: 3 },
    });
  });
});

describe('anthropic-messages', () => {
  it('streams named events between message_start and message_stop', async () => {
    const events = eventsOf(await finite('anthropic-messages', true));
    for (const [name, data] of events) expect(data.type).toBe(name);
    expect(events.map(([name]) => name)).toEqual([
      'message_start', 'content_block_start', ...Array(3).fill('content_block_delta'),
      'content_block_stop', 'message_delta', 'message_stop',
    ]);
    expect(events.filter(([name]) => name === 'content_block_delta').map(([, data]) => data.delta.text).join('')).toBe(TEXT);
    expect(events[0]![1].message).toMatchObject({ type: 'message', role: 'assistant', content: [], stop_reason: null });
    expect(events.at(-2)![1]).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } });
  });

  it('is one document otherwise', async () => {
    expect(JSON.parse(await finite('anthropic-messages', false))).toMatchObject({
      type: 'message', content: [{ type: 'text', text: TEXT }], stop_reason: 'end_turn', usage: { input_tokens: 0, output_tokens: 3 },
    });
  });
});

describe('ndjson', () => {
  it('streams a line an event, the last one done', async () => {
    const lines = (await finite('ndjson', true)).trimEnd().split('\n').map((line) => JSON.parse(line) as Json);
    expect(lines.map(({ done }) => done)).toEqual([false, false, false, true]);
    expect(lines.map(({ message }) => message.content).join('')).toBe(TEXT);
    expect(lines.at(-1)).toMatchObject({ done_reason: 'stop', eval_count: 3 });
  });

  it('is one document otherwise', async () => {
    expect(JSON.parse(await finite('ndjson', false))).toMatchObject({ message: { content: TEXT }, done: true, eval_count: 3 });
  });
});

describe('plain', () => {
  it.each([true, false])('is lines, with nothing around them (stream: %s)', async (stream) => {
    expect(await finite('plain', stream)).toBe(`${MARKER} 1 \n${MARKER} 2 \n${MARKER} 3 \n`);
  });

  it('cannot carry comments, and says so when it is to listen and when it is promised', async () => {
    const why = 'sse-keepalive is made of comments, and the shape plain has none';
    await expect(start('sse-keepalive', {}, { shape: 'plain' })).rejects.toThrow(why);
    await using started = await start('silent', {}, { shape: 'plain' });
    expect(() => started.upstreams.expect('model', MARKER, { kind: 'sse-keepalive' })).toThrow('has none');
  });
});

it('the path chooses per request on one upstream, unless a shape was set', async () => {
  await using started = await start('finite', { events: 1, every: 0 });
  const typeOf = async (port: number, request: string): Promise<string> =>
    /content-type: ([^\r;]*)/.exec(await openPeer(port, request).awaitText('\r\n\r\n'))![1]!;
  expect(await typeOf(started.port, ask('ndjson', true))).toBe('application/x-ndjson');
  expect(await typeOf(started.port, ask('anthropic-messages', false))).toBe('application/json');
  expect(await typeOf(started.port, ask('openai-responses', true))).toBe('text/event-stream');
  await using set = await start('finite', { events: 1, every: 0 }, { shape: 'plain' });
  expect(await typeOf(set.port, ask('openai-responses', true))).toBe('text/plain');
});

it.each([
  ['openai-responses', { user: MARKER }], ['openai-responses', { metadata: { marker: MARKER } }],
  ['anthropic-messages', { metadata: { user_id: MARKER } }], ['ndjson', { options: { user: MARKER } }],
])('%s: the marker is found in %j; a request without one is a side request', async (kind, body) => {
  await using started = await start('silent');
  const to = (content: object): string =>
    chat({ user: undefined, ...content }).replace('/v1/chat/completions', shapes.get(kind)!.paths[0]!);
  await openPeer(started.port, to(body)).awaitText(MARKER);
  await openPeer(started.port, to({})).awaitText('exchange-2');
  expect(started.facts.of('request-received').map(({ marker }) => marker)).toEqual([MARKER, null]);
});
