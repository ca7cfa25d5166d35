// Claims about requests: a follow-up is served, and the upstream is asked as often as is right.
import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { definition as followUp } from './follow-up-served.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const SECOND = 'hx.bob.1.00000002';
const broke = (process: string, atMs = 4_500) => at(atMs, 'harness', { type: 'actor-failed', process, error: 'x' });
const noPath = at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' });
const noFault = at(800, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' });
const died = (atMs: number) => at(atMs, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null });
const received = (atMs: number, exchange: number, marker: string | null, connection = exchange, upstream = 'model') =>
  at(atMs, `upstream.${upstream}`, {
    type: 'request-received',
    connection,
    exchange,
    marker,
    method: 'POST',
    path: '/',
    bodyBytes: 1,
    behaviour: 'endless',
  });
const opened = (atMs: number, connection: number, upstream = 'model') =>
  at(atMs, `upstream.${upstream}`, {
    type: 'connection-opened',
    connection,
    local: '127.0.0.20:9000',
    peer: `127.0.0.2:${50_100 + connection}`,
  });

describe('follow-up-served', () => {
  type Answer = {
    readonly writtenMs?: number;
    readonly endedMs?: number | null;
    readonly status?: number;
    readonly how?: 'complete' | 'truncated' | 'reset';
    readonly errorEvent?: string | null;
  };
  const bob = ({
    writtenMs = 4_000,
    endedMs = 4_300,
    status = 200,
    how = 'complete',
    errorEvent = null,
  }: Answer = {}): readonly Entry[] => [
    at(writtenMs - 10, 'harness', {
      type: 'exchange-planned',
      marker: SECOND,
      client: 'bob',
      account: 'other',
      upstream: 'model',
      request: 'chat',
      purpose: 'drive',
    }),
    at(writtenMs, 'client.bob', { type: 'request-written', connection: 1, marker: SECOND, bytes: 1 }),
    ...(endedMs === null
      ? []
      : [
          at(endedMs - 5, 'client.bob', { type: 'response-head', marker: SECOND, status, contentType: null }),
          at(endedMs, 'client.bob', {
            type: 'response-ended',
            marker: SECOND,
            how,
            endMark: true,
            errorEvent,
            bytes: 9,
            events: 1,
            foreignMarkers: [],
          }),
        ]),
  ];
  const told = (answer: Answer, extra: readonly Entry[] = []) => ({ entries: story({ extra: [...bob(answer), ...extra] }) });
  table('follow-up-served', { client: 'bob', after: 'gone', within: 1_000 }, [
    ['served', told({}), 'held', 'bob was served in 300 ms'],
    ['served within the margin', told({ endedMs: 5_200 }), 'held', 'bob was served in 1.2 s'],
    ['served too late', told({ endedMs: 5_300 }), 'violated', 'bob was served only after 1.3 s, 1.0 s are allowed'],
    ['never served', told({ endedMs: null }), 'violated', 'bob was not served after 4.0 s, 1.0 s are allowed'],
    ['refused', told({ status: 429 }), 'violated', 'bob was answered with status 429, complete after 300 ms'],
    ['cut', told({ how: 'reset' }), 'violated', 'bob was answered with status 200, reset'],
    ['an error in the stream', told({ errorEvent: 'no slot' }), 'violated', 'bob was answered with no slot'],
    ['asked before the leave', told({ writtenMs: 2_900, endedMs: 3_100 }), 'inconclusive', 'bob asked before mark gone'],
    ['never asked', { entries: story() }, 'inconclusive', 'bob never asked'],
    ['the mark was never set', { entries: story({ goneMs: null, extra: bob() }) }, 'inconclusive', 'mark gone was never set'],
    [
      'the record ends too soon',
      { entries: without(story({ extra: bob({ endedMs: null }) }), ({ atMs }) => atMs > 4_500) },
      'inconclusive',
      'bob had not been served after 460 ms, which is too soon to say',
    ],
    ["the client's process broke", told({}, [broke('clients')]), 'inconclusive', 'clients failed'],
    ['the system died', told({ endedMs: null }, [died(4_100)]), 'inconclusive', 'router died'],
    ['the system died later', told({}, [died(6_000)]), 'held', 'served'],
    ['the path did not work', told({}, [noPath]), 'inconclusive', 'precondition path'],
    ['a fault did not fire', told({}, [noFault]), 'inconclusive', 'fault x'],
    ['clocks apart', told({}, [at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })]), 'inconclusive', 'the clocks agree'],
    [
      'somebody lagged',
      told({}, [at(4_200, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs: 300 })]),
      'inconclusive',
      'clients lagged',
    ],
    [
      'the record breaks off',
      { entries: without(story({ extra: bob() }), ({ atMs }) => atMs > 7_000) },
      'inconclusive',
      'the record breaks off',
    ],
  ]);
  test('evidence and interval', () => {
    expect(
      verdictOf('follow-up-served', {
        entries: told({ endedMs: 5_300 }).entries,
        options: { client: 'bob', after: 'gone', within: 1_000 },
      }),
    ).toMatchObject({ evidence: ['client.bob#1', 'client.bob#3'], interval: { fromMs: 5_250, toMs: 5_300 } });
    expect(
      verdictOf('follow-up-served', { entries: told({ status: 500 }).entries, options: { client: 'bob', after: 'gone', within: 1_000 } })
        .interval,
    ).toEqual({ fromMs: 4_000, toMs: 4_300 });
  });
  const pendingAt = (ms: number) =>
    followUp.pending!({
      timeline: timelineOf(...without(story({ extra: bob() }), ({ atMs }) => atMs > ms)),
      facts: FACTS,
      options: { client: 'bob', after: 'gone', within: 1_000 },
    });
  test('pending until it is answered', () =>
    expect([pendingAt(4_100), pendingAt(4_400)]).toEqual(['bob had not been served after 100 ms, which is too soon to say', null]));
});

describe('request-count', () => {
  const OPTIONS = { upstream: 'model', client: 'alice' };
  const again = (...entries: readonly Entry[]) => story({ ...LEAK, extra: entries });
  table('request-count', OPTIONS, [
    ['once', { entries: story(), options: { equals: 1 } }, 'held', "alice's request came 1 time to upstream model; 0 bare connections"],
    [
      'twice',
      { entries: again(received(1_500, 4, MARKER)), options: { equals: 1 } },
      'violated',
      "alice's request came 2 times to upstream model, at most 1 is right",
    ],
    ['twice, as it may', { entries: again(received(1_500, 4, MARKER)), options: { 'at-most': 2 } }, 'held', 'came 2 times'],
    ['not often enough', { entries: story(), options: { equals: 2 } }, 'violated', 'came 1 time to upstream model, 2 is right'],
    ['at another upstream', { entries: again(received(1_500, 4, MARKER, 4, 'second')), options: { equals: 1 } }, 'held', 'came 1 time'],
    ['another request', { entries: again(received(1_500, 4, SECOND)), options: { equals: 1 } }, 'held', 'came 1 time'],
    ['a side request without a marker', { entries: again(received(1_500, 4, null)), options: { equals: 1 } }, 'held', 'came 1 time'],
    [
      'after the leave',
      { entries: again(received(3_600, 4, MARKER)), options: { 'at-most': 0, after: 'gone' } },
      'violated',
      'came 1 time to upstream model, at most 0 is right',
    ],
    [
      'on its way at the leave',
      { entries: again(received(3_200, 4, MARKER)), options: { 'at-most': 0, after: 'gone' } },
      'held',
      'came 0 times',
    ],
    [
      'before the leave does not count',
      { entries: again(received(1_500, 4, MARKER)), options: { 'at-most': 0, after: 'gone' } },
      'held',
      'came 0 times',
    ],
    [
      'bare connections',
      { entries: again(opened(1_500, 7), opened(1_600, 8)), options: { 'bare-connections': 1 } },
      'violated',
      '2 connections to upstream model never carried a request, at most 1 is right',
    ],
    ['as many as may be', { entries: again(opened(1_500, 7)), options: { 'bare-connections': 1 } }, 'held', '1 bare connection'],
    [
      'those of the preparation do not count',
      { entries: again(opened(700, 7)), options: { 'bare-connections': 0 } },
      'held',
      '0 bare connections',
    ],
    [
      'those before the leave do not count',
      { entries: again(opened(1_500, 7)), options: { 'bare-connections': 0, after: 'gone' } },
      'held',
      '0 bare connections',
    ],
    [
      'those of another upstream do not count',
      { entries: again(opened(1_500, 7, 'second')), options: { 'bare-connections': 0 } },
      'held',
      '0 bare connections',
    ],
    [
      'one that carries a request is not bare',
      { entries: again(opened(1_500, 7), received(1_600, 9, SECOND, 7)), options: { 'bare-connections': 0 } },
      'held',
      '0 bare connections',
    ],
    ['of each client', { entries: story(), options: { client: undefined, equals: 1 } }, 'held', 'came 1 time'],
    [
      'nobody asked',
      { entries: without(story(), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'no exchange was planned',
    ],
    ['another client asked', { entries: story(), options: { client: 'bob' } }, 'inconclusive', 'no exchange was planned'],
    [
      'the mark was never set',
      { entries: story({ goneMs: null }), options: { 'at-most': 0, after: 'gone' } },
      'inconclusive',
      'mark gone was never set',
    ],
    [
      'the leave cannot be seen to arrive',
      {
        entries: without(again(received(3_600, 4, MARKER)), ({ fact }) => fact.type === 'path-control'),
        options: { 'at-most': 0, after: 'gone' },
      },
      'inconclusive',
      'no FIN was tried on the client leg',
    ],
    [
      'nothing was written',
      { entries: without(story(), ({ fact }) => fact.type === 'request-written'), options: { 'at-most': 1 } },
      'inconclusive',
      'no request was written',
    ],
    ["the upstream's process broke", { entries: again(broke('upstreams')), options: { equals: 1 } }, 'inconclusive', 'upstreams failed'],
    [
      'too often, though it broke later',
      { entries: again(received(1_500, 4, MARKER), broke('upstreams')), options: { equals: 1 } },
      'violated',
      'came 2 times',
    ],
    ['the system died', { entries: again(died(5_000)), options: { equals: 1 } }, 'inconclusive', 'router died'],
    ['the path did not work', { entries: again(noPath), options: { equals: 1 } }, 'inconclusive', 'precondition path'],
    ['a fault did not fire', { entries: again(noFault, received(1_500, 4, MARKER)), options: { equals: 1 } }, 'inconclusive', 'fault x'],
    [
      'clocks apart',
      { entries: again(at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 300 })), options: { equals: 1 } },
      'inconclusive',
      'the clocks agree',
    ],
    [
      'somebody lagged',
      { entries: again(at(4_200, 'lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: 300 })), options: { equals: 1 } },
      'inconclusive',
      'upstreams lagged',
    ],
    [
      'the record breaks off',
      { entries: without(story(), ({ atMs }) => atMs > 7_000), options: { equals: 1 } },
      'inconclusive',
      'the record breaks off',
    ],
    [
      'a client that vanishes',
      { entries: story(), facts: { leaves: [{ mark: 'gone', client: 'alice', how: 'vanish' }] }, options: { 'at-most': 0, after: 'gone' } },
      'does-not-apply',
      'alice vanishes',
    ],
  ]);
  test('evidence and interval', () => {
    expect(verdictOf('request-count', { entries: again(received(1_500, 4, MARKER)), options: { ...OPTIONS, equals: 1 } })).toMatchObject({
      evidence: ['upstream.model#2', 'upstream.model#8'],
      interval: { fromMs: 1_110, toMs: 1_500 },
    });
    expect(
      verdictOf('request-count', { entries: again(opened(1_500, 7)), options: { ...OPTIONS, 'bare-connections': 0 } }).evidence,
    ).toEqual(['upstream.model#8']);
  });
});
