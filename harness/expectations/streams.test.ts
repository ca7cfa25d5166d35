// How a stream ends at the client: complete, cut for all to see, either, and never with foreign bytes.
import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, timelineOf, without } from './fixtures/timeline.ts';
import { definition as complete } from './stream-complete.ts';

const ALICE = { client: 'alice' };
const whole = (changes: Partial<Knobs> = {}): Partial<Knobs> => ({
  goneMs: null,
  closedMs: null,
  ownsUntilMs: null,
  servesUntilMs: null,
  eventsUntilMs: 1_600,
  upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 },
  toldMs: 1_660,
  told: { how: 'complete', endMark: true },
  ...changes,
});
const cut = (changes: Partial<Knobs> = {}): Partial<Knobs> =>
  whole({ upstreamEnd: { atMs: 1_650, how: 'cut', by: 'fault', usage: null }, told: { how: 'truncated' }, ...changes });
const told = (changes: Knobs['told']) => ({ told: { how: 'complete', endMark: true, ...changes } as const });

describe('stream-complete', () => {
  table('stream-complete', ALICE, [
    ['everything and the end mark', { entries: story(whole()) }, 'held', 'alice got 5 of 5 events, the end mark, and the end (complete)'],
    ['of everybody', { entries: story(whole()), options: { client: undefined } }, 'held', '5 of 5 events'],
    [
      'no end mark',
      { entries: story(whole(told({ endMark: false }))) },
      'violated',
      'not complete: alice got 5 of 5 events, no end mark, and the end (complete)',
    ],
    ['an event less', { entries: story(whole(told({ events: 4 }))) }, 'violated', 'alice got 4 of 5 events'],
    ['an event more', { entries: story(whole(told({ events: 6 }))) }, 'violated', 'alice got 6 of 5 events'],
    ['an error', { entries: story(whole(told({ errorEvent: 'oops' }))) }, 'violated', 'and an error (oops)'],
    ['cut by FIN', { entries: story(whole(told({ how: 'truncated' }))) }, 'violated', 'the end (truncated)'],
    ['the upstream did not write all', { entries: story(cut(told({}))) }, 'violated', 'not complete'],
    [
      'told nothing since the upstream was over',
      { entries: story(whole({ toldMs: null })) },
      'violated',
      'alice was told nothing in 6.3 s since the upstream exchange was over',
    ],
    [
      'told nothing since the system closed the upstream',
      { entries: story(whole({ toldMs: null, upstreamEnd: null, closedMs: 2_000 })) },
      'violated',
      'alice was told nothing in 6.0 s',
    ],
    [
      'the stream goes on',
      { entries: story(whole({ toldMs: null, upstreamEnd: null, eventsUntilMs: Infinity })) },
      'inconclusive',
      'the answer to alice has not ended, and neither had its upstream',
    ],
    [
      'the upstream was over only just now',
      { entries: story(whole({ toldMs: null, upstreamEnd: { atMs: 7_800, how: 'complete', by: 'script', usage: 5 } })) },
      'inconclusive',
      'neither had its upstream',
    ],
    [
      'told after the watch',
      {
        entries: story(
          whole({ toldMs: 8_100, upstreamEnd: { atMs: 8_050, how: 'complete', by: 'script', usage: 5 }, eventsUntilMs: 8_000 }),
        ),
      },
      'inconclusive',
      'has not ended',
    ],
    ['the client left', { entries: story() }, 'inconclusive', 'alice left before the answer had ended'],
    [
      'the client does not read',
      { entries: story(whole({ toldMs: null, extra: [at(1_300, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 1 })] })) },
      'inconclusive',
      'alice does not read',
    ],
    [
      'no upstream got it',
      { entries: without(story(whole({ toldMs: null })), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      "no upstream got alice's request: there was no stream",
    ],
    [
      'nobody asked',
      { entries: without(story(whole()), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'no exchange was planned',
    ],
    ['another client asked', { entries: story(whole()), options: { client: 'bob' } }, 'inconclusive', 'no exchange was planned'],
    [
      'D12 withheld while it was reading',
      {
        entries: without(
          story(whole({ toldMs: 3_000, told: { how: 'reset', events: 0, bytes: 0 } })),
          ({ fact }) => fact.type === 'received',
        ),
      },
      'violated',
      'never reached alice: the system buffers',
    ],
    [
      'D12 withheld, then nothing',
      { entries: without(story(whole({ toldMs: null })), ({ fact }) => fact.type === 'received') },
      'inconclusive',
      'claims about streaming do not apply; the first chunk, written 6800 ms before, never reached alice: the system buffers',
    ],
    [
      "the upstream's words were cut",
      { entries: story(whole({ extra: [at(5_000, 'lag.upstreams', { type: 'events-dropped', process: 'upstreams', count: 3 })] })) },
      'inconclusive',
      'dropped 3 observations',
    ],
    [
      "the client's process broke",
      { entries: story(whole({ extra: [at(1_500, 'harness', { type: 'actor-failed', process: 'client.alice', error: 'x' })] })) },
      'inconclusive',
      'client.alice failed',
    ],
    [
      'the system died',
      {
        entries: story(
          whole({ toldMs: null, extra: [at(1_700, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })] }),
        ),
      },
      'inconclusive',
      'router died',
    ],
    [
      'the path did not work',
      { entries: story(whole({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] })) },
      'inconclusive',
      'precondition path',
    ],
    [
      'a fault did not fire',
      { entries: story(whole({ extra: [at(800, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] })) },
      'inconclusive',
      'fault x',
    ],
    [
      'somebody lagged',
      { entries: story(whole({ extra: [at(1_500, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs: 300 })] })) },
      'inconclusive',
      'clients lagged',
    ],
    ['the record breaks off', { entries: without(story(whole()), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
  ]);
  test('evidence and interval', () => {
    expect(verdictOf('stream-complete', { entries: story(whole()), options: ALICE }).evidence).toEqual([
      'client.alice#9',
      'upstream.model#9',
    ]);
    expect(verdictOf('stream-complete', { entries: story(whole({ toldMs: null })), options: ALICE }).interval).toEqual({
      fromMs: 1_650,
      toMs: 8_000,
    });
  });
  const pendingAt = (ms: number, changes: Partial<Knobs>) =>
    complete.pending!({ timeline: timelineOf(...without(story(changes), ({ atMs }) => atMs > ms)), facts: FACTS, options: ALICE });
  test('pending until it has ended', () => expect(pendingAt(1_500, whole())).toBe('the answer to alice has not ended'));
  test('not pending when it has ended, or the client has left', () =>
    expect([pendingAt(1_700, whole()), pendingAt(3_100, {})]).toEqual([null, null]));
});

describe('stream-truncated-visibly', () => {
  table('stream-truncated-visibly', ALICE, [
    ['cut by FIN', { entries: story(cut()) }, 'held', 'alice got 5 of 5 events, no end mark, and the end (truncated)'],
    ['cut by RST', { entries: story(cut({ told: { how: 'reset' } })) }, 'held', 'the end (reset)'],
    [
      'told by an error',
      { entries: story(cut({ told: { how: 'complete', errorEvent: 'upstream gone' } })) },
      'held',
      'an error (upstream gone)',
    ],
    ['an end without a mark', { entries: story(cut({ told: { how: 'complete' } })) }, 'held', 'no end mark, and the end (complete)'],
    ['a fake end mark', { entries: story(cut(told({}))) }, 'violated', 'cut, but it looks whole'],
    ['a fake end mark after an error', { entries: story(cut(told({ errorEvent: 'oops' }))) }, 'violated', 'cut, but it looks whole'],
    ['never told', { entries: story(cut({ toldMs: null })) }, 'violated', 'alice was told nothing'],
    ['nothing was cut', { entries: story(whole()) }, 'inconclusive', 'nothing was cut'],
  ]);
});

describe('stream-whole-or-told', () => {
  table('stream-whole-or-told', ALICE, [
    ['whole', { entries: story(whole()) }, 'held', 'the end mark, and the end (complete)'],
    ['cut for all to see', { entries: story(cut()) }, 'held', 'no end mark, and the end (truncated)'],
    ['a fake end mark', { entries: story(cut(told({}))) }, 'violated', 'cut, but it looks whole'],
    ['whole, but for an event', { entries: story(whole(told({ events: 4 }))) }, 'violated', 'cut, but it looks whole'],
    ['never told', { entries: story(cut({ toldMs: null })) }, 'violated', 'alice was told nothing'],
    [
      'the system was told to stop',
      {
        entries: story(
          cut({
            upstreamEnd: null,
            closedMs: 1_650,
            exit: { atMs: 1_700, code: 0, signal: null },
            extra: [at(1_640, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'fault' })],
          }),
        ),
      },
      'held',
      'alice got 5 of unknown events',
    ],
  ]);
});

describe('no-foreign-bytes', () => {
  const foreign = { foreignMarkers: ['hx.bob.1.00000002'] };
  table('no-foreign-bytes', {}, [
    ['only its own', { entries: story(whole()) }, 'held', '1 answer carried no marker but its own'],
    ["another's", { entries: story(whole(told(foreign))) }, 'violated', `alice's answer to ${MARKER} carries hx.bob.1.00000002`],
    [
      "another's, at a client that is not asked for",
      { entries: story(whole(told(foreign))), options: { client: 'bob' } },
      'inconclusive',
      'no answer was read to its end',
    ],
    ['at the client that is asked for', { entries: story(whole()), options: ALICE }, 'held', '1 answer'],
    ['nothing was read', { entries: story(whole(told({ bytes: 0 }))) }, 'inconclusive', 'no answer was read to its end'],
    ['nothing ended', { entries: story() }, 'inconclusive', 'no answer was read to its end'],
    [
      "the client's process broke",
      { entries: story(whole({ extra: [at(1_500, 'harness', { type: 'actor-failed', process: 'clients', error: 'x' })] })) },
      'inconclusive',
      'clients failed',
    ],
    [
      "another's, though the client's process broke later",
      {
        entries: story(
          whole({ ...told(foreign), extra: [at(1_900, 'harness', { type: 'actor-failed', process: 'clients', error: 'x' })] }),
        ),
      },
      'violated',
      'carries',
    ],
    [
      'the system died',
      { entries: story(whole({ extra: [at(1_700, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })] })) },
      'inconclusive',
      'router died',
    ],
    [
      'a fault did not fire',
      { entries: story(whole({ extra: [at(800, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] })) },
      'inconclusive',
      'fault x',
    ],
    [
      'the path did not work',
      { entries: story(whole({ extra: [at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })] })) },
      'inconclusive',
      'precondition path',
    ],
    ['the record breaks off', { entries: without(story(whole()), ({ atMs }) => atMs > 7_000) }, 'inconclusive', 'the record breaks off'],
  ]);
  test('evidence and interval', () => {
    expect(verdictOf('no-foreign-bytes', { entries: story(whole(told(foreign))), options: {} })).toMatchObject({
      evidence: ['client.alice#9'],
      interval: { fromMs: 1_090, toMs: 1_660 },
    });
  });
});
