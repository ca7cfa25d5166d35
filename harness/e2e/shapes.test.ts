// Upstream and client face to face in every wire shape: what the one says it wrote the other says it got.
import { describe, expect, test } from 'vitest';
import { shapes } from '../../upstreams/shapes/registry.ts';
import { createUpstreams } from '../../upstreams/upstreams.ts';
import { createKit, eventually } from '../clients/test-kit.ts';
import type { Kit } from '../clients/test-kit.ts';
import type { Fact, FactOf, FactType } from '../model/observation.ts';

const MARKER = 'hx.alice.1.0123abcd';
const cases = shapes.all.flatMap(({ kind }) => [true, false].map((stream) => [kind, stream] as const));

type Pair = Kit & {
  readonly wrote: <T extends FactType>(type: T) => readonly FactOf<T>[];
  readonly finish: () => void;
} & AsyncDisposable;

/** A client that has sent its request straight to an upstream of that shape. */
const open = async (shape: string, stream: boolean, kind: string, options = {}): Promise<Pair> => {
  const told: Fact[] = [];
  const upstreams = createUpstreams((_actor, fact) => void told.push(fact));
  const plan = { upstream: 'model', address: '127.0.0.1', port: 0, behaviour: { kind, options }, shape };
  const { port } = await upstreams.listen(plan);
  const kit = createKit({ address: '127.0.0.1', port });
  const body = JSON.stringify({ stream, user: MARKER });
  await kit.session.send({ method: 'POST', path: '/v1/chat/completions', headers: {}, body, marker: MARKER });
  return {
    ...kit,
    wrote: (type) => {
      upstreams.flush();
      return told.filter((fact) => fact.type === type) as never;
    },
    finish: () => void upstreams.finish('model'),
    [Symbol.asyncDispose]: async () => {
      kit.session.destroy();
      await upstreams.closeAll();
    },
  };
};

describe.each(cases)('%s (stream: %s)', (shape, stream) => {
  const isDocument = !stream && shape !== 'plain';

  test.each([
    ['finite', { events: 4, every: 0 }],
    ['flood', { 'at-most': '200KiB', 'event-size': '300B' }],
  ])('%s: the same events, the end mark, the usage, nobody else\'s bytes', async (kind, options) => {
    await using pair = await open(shape, stream, kind, options);
    await pair.waitFor('response-ended');
    const written = pair.wrote('answer-ended')[0]!;
    const { events, bytes, usage } = written;
    const whole = { how: 'complete', endMark: true, errorEvent: null, foreignMarkers: [] };
    expect(pair.of('response-ended')[0]).toMatchObject({ ...whole, events, bytes, usage });
    expect(events).toBeGreaterThan(3);
  });

  test('silent: the event is seen at once in a stream; a document is worth nothing yet', async () => {
    await using pair = await open(shape, stream, 'silent');
    const hasAll = (): boolean => {
      const { bytes } = pair.session.received;
      return bytes > 0 && bytes === pair.wrote('answer-progress').at(-1)?.bytes;
    };
    await eventually(hasAll, () => 'all bytes that were written');
    expect(pair.session.received).toMatchObject({ events: isDocument ? 0 : 1, ended: false });
    pair.finish();
    await pair.waitFor('response-ended');
    expect(pair.of('response-ended')[0]).toMatchObject({ how: 'complete', endMark: true, events: 1 });
  });

  test.skipIf(shape === 'plain')('sse-keepalive: comments, and no events', async () => {
    await using pair = await open(shape, stream, 'sse-keepalive', { every: '5ms' });
    await eventually(() => (pair.of('received').at(-1)?.comments ?? 0) >= 3, () => 'three comments');
    expect(pair.of('received').at(-1)!.events).toBe(0);
    pair.finish();
    await pair.waitFor('response-ended');
    const { comments } = pair.wrote('answer-progress').at(-1)!;
    expect(pair.of('received').at(-1)!.comments).toBe(comments);
    expect(pair.of('response-ended')[0]).toMatchObject({ how: 'complete', endMark: true, events: 0 });
  });

  test.each(['fin', 'rst'])('truncated by %s: visibly not all', async (how) => {
    await using pair = await open(shape, stream, 'truncated', { events: 3, every: '10ms', how });
    await pair.waitFor('response-ended');
    const ended = pair.of('response-ended')[0]!;
    expect(ended).toMatchObject({ how: how === 'fin' ? 'truncated' : 'reset', endMark: false, usage: null });
    expect(ended.events).toBe(isDocument ? 0 : 3);
  });

  test('error-status: an error, no event, no end mark', async () => {
    await using pair = await open(shape, stream, 'error-status', { status: 503 });
    await pair.waitFor('response-ended');
    const told = { how: 'complete', endMark: false, events: 0, errorEvent: expect.stringContaining('503') };
    expect(pair.of('response-ended')[0]).toMatchObject(told);
  });
});
