// The same request sent again, whole answers, and drains: what one exchange may cost where it is not one plain stream.
import { describe, expect, test } from 'vitest';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { exchangesOf } from '../model/exchanges.ts';
import { timelineOf } from './fixtures/timeline.ts';

const ALICE = { client: 'alice' };
/** Read to its end at 1.66 s: five events, settled at 1.72 s. */
const read = (changes: Partial<Knobs> = {}): readonly Entry[] =>
  story({
    goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, eventsUntilMs: 1_600, terminalMs: 1_720,
    charges: [{ atMs: 1_720, amount: 5 }],
    upstreamEnd: { atMs: 1_650, how: 'complete', by: 'script', usage: 5 },
    toldMs: 1_660,
    told: { how: 'complete', endMark: true },
    ...changes,
  });

type Repeat = { readonly fromMs?: number; readonly isSent?: boolean; readonly usage?: number | null; readonly status?: number };
/** Alice sends it again; with a usage an upstream is asked again and serves so many events. */
const again = ({ fromMs = 4_000, isSent = true, usage = null, status = 200 }: Repeat = {}): readonly Entry[] => [
  at(fromMs, 'harness', { type: 'exchange-planned', marker: MARKER, client: 'alice', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive', repeat: true }),
  ...(isSent ? [at(fromMs + 5, 'client.alice', { type: 'request-written', connection: 1, marker: MARKER, bytes: 200 })] : []),
  ...(usage === null
    ? []
    : [
        at(fromMs + 10, 'upstream.model', { type: 'request-received', connection: 2, exchange: 9, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'finite' }),
        at(fromMs + 20, 'upstream.model', { type: 'answer-progress', exchange: 9, bytes: 1, events: usage, comments: 0 }),
        at(fromMs + 30, 'upstream.model', { type: 'answer-ended', exchange: 9, marker: MARKER, how: 'complete', by: 'script', bytes: 1, events: usage, usage }),
        at(fromMs + 40, 'client.alice', { type: 'received', marker: MARKER, bytes: 1, events: usage, comments: 0 }),
      ] satisfies readonly Entry[]),
  ...(isSent
    ? ([
        at(fromMs + 45, 'client.alice', { type: 'response-head', marker: MARKER, status, contentType: 'text/event-stream' }),
        at(fromMs + 50, 'client.alice', { type: 'response-ended', marker: MARKER, how: 'complete', endMark: status === 200, errorEvent: status === 200 ? null : 'no', bytes: 1, events: usage ?? 0, foreignMarkers: [] }),
      ] satisfies readonly Entry[])
    : []),
];
const twice = [{ atMs: 1_720, amount: 5 }, { atMs: 4_060, amount: 5 }];

describe('the same request sent again', () => {
  table('charged-once', ALICE, [
    ['and refused: charged once', { entries: read({ extra: again({ status: 409 }) }) }, 'held', "5 charged; the upstream's usage was 5; the same request was sent 2 times"],
    ['and served from what was kept: charged once', { entries: read({ extra: again() }) }, 'held', '5 charged'],
    ['and served again: charged once', { entries: read({ extra: again({ usage: 5 }) }) }, 'held', '5 charged'],
    ['and charged again', { entries: read({ extra: again({ usage: 5 }), charges: twice }) }, 'violated', "alice's exchange was charged 2 times: 5 and 5 charged; the same request was sent 2 times"],
    ['and not charged at all', { entries: read({ extra: again({ usage: 5 }), charges: [] }) }, 'violated', 'nothing was charged'],
    ['either of two lengths is right', { entries: read({ extra: again({ usage: 7 }), charges: [{ atMs: 4_060, amount: 7 }] }) }, 'held', '7 charged'],
    ['the shorter as well', { entries: read({ extra: again({ usage: 7 }) }) }, 'held', '5 charged'],
    ['less than either is not', { entries: read({ extra: again({ usage: 7 }), charges: [{ atMs: 4_060, amount: 4 }] }) }, 'violated', 'at least 5 is right'],
    ['nor more', { entries: read({ extra: again({ usage: 7 }), charges: [{ atMs: 4_060, amount: 8 }] }) }, 'violated', 'at most 7 is right'],
    ['and never sent shows nothing', { entries: read({ extra: again({ isSent: false }) }) }, 'inconclusive', "alice's repeat of its request was never sent"],
    ['after a leave: the first part or the whole', { entries: story({ charges: [{ atMs: 3_020, amount: 18 }], extra: again({ usage: 30 }) }) }, 'held', '18 charged'],
    ['after a leave: both', { entries: story({ charges: [{ atMs: 3_020, amount: 18 }, { atMs: 4_060, amount: 30 }], extra: again({ usage: 30 }) }) }, 'violated', 'charged 2 times'],
  ]);
  test('rows without markers are those of one exchange all the same', () => {
    const entries = read({ marked: false, extra: again() });
    expect(verdictOf('charged-once', { entries, options: ALICE }).outcome).toBe('held');
  });
  test('each attempt has its own facts', () => {
    const [first, second] = exchangesOf(timelineOf(...read({ extra: again({ usage: 7 }) })));
    expect([first!.ended?.events, second!.ended?.events]).toEqual([5, 7]);
    expect([first!.upstreams.length, second!.upstreams.length]).toEqual([1, 1]);
    expect([first!.written?.atMs, second!.written?.atMs]).toEqual([1_100, 4_005]);
  });
  table('request-count', { upstream: 'model', client: 'alice' }, [
    ['is one thing to be asked for', { entries: read({ extra: again() }), options: { equals: 1 } }, 'held', 'came 1 time'],
    ['asked for twice', { entries: read({ extra: again({ usage: 5 }) }), options: { equals: 1 } }, 'violated', "alice's request came 2 times"],
  ]);
});

describe('an answer of one body', () => {
  const body = (contentType: string, changes: Partial<Knobs> = {}): readonly Entry[] =>
    read({ told: { how: 'complete', endMark: false, events: 0 }, ...changes })
      .filter(({ fact }) => fact.type !== 'received')
      .map((entry) => (entry.fact.type === 'response-head' ? { ...entry, fact: { ...entry.fact, contentType } } : entry));
  const charge = (amount: number) => ({ charges: [{ atMs: 1_720, amount }] });
  table('charged-once', ALICE, [
    ['costs its usage', { entries: body('application/json; charset=utf-8') }, 'held', "5 charged; the upstream's usage was 5"],
    ['not less', { entries: body('application/json', charge(4)) }, 'violated', 'at least 5 is right'],
    ['not more', { entries: body('application/json', charge(6)) }, 'violated', 'at most 5 is right'],
    ['not nothing', { entries: body('application/problem+json', { charges: [] }) }, 'violated', 'nothing was charged'],
    ['that was cut costs what had come, which is nothing', { entries: body('application/json', { charges: [], told: { how: 'truncated', endMark: false, events: 0 } }) }, 'held', 'nothing was charged'],
    ['of an error costs nothing', { entries: body('application/json', { charges: [], told: { how: 'complete', endMark: false, events: 0, errorEvent: 'status 502' } }) }, 'held', 'nothing was charged'],
    ['a stream without an end mark was not read to its end', { entries: body('application/x-ndjson', charge(4)) }, 'held', 'the client had 0 events in all'],
    ['nor is a sequence a body', { entries: body('application/json-seq', charge(4)) }, 'held', 'the client had 0 events in all'],
  ]);
});

describe('a drain', () => {
  const drains = { policy: { ...FACTS.policy, onDisconnect: 'drain' as const } };
  /** Alice leaves at 3 s, the drain bound is 1 s, the margin 250 ms; every 100 ms an event from 1.2 s on. */
  const done = (atMs: number, amount: number): readonly Entry[] =>
    story({
      closedMs: null, ownsUntilMs: null, eventsUntilMs: atMs - 50, terminalMs: atMs + 10,
      upstreamEnd: { atMs, how: 'complete', by: 'script', usage: 60 },
      charges: [{ atMs: atMs + 10, amount }],
    });
  const cut = (closedMs: number, amount: number): readonly Entry[] =>
    story({ closedMs, ownsUntilMs: closedMs, terminalMs: closedMs + 5, charges: [{ atMs: closedMs + 5, amount }] });
  table('charged-once', ALICE, [
    ['over well within the bound: exactly the usage', { entries: done(3_700, 60), facts: drains }, 'held', '60 charged'],
    ['one less', { entries: done(3_700, 59), facts: drains }, 'violated', 'at least 60 is right'],
    ['over about the bound: the usage', { entries: done(4_100, 60), facts: drains }, 'held', '60 charged'],
    ['over about the bound: what was written until then', { entries: done(4_100, 26), facts: drains }, 'held', '26 charged; the upstream had written 26 to 60 events by the end of the drain'],
    ['over about the bound: less than that', { entries: done(4_100, 25), facts: drains }, 'violated', 'at least 26 is right'],
    ['over long after the bound: not all of it', { entries: done(6_000, 60), facts: drains }, 'violated', 'alice was charged 60, at most 32 is right'],
    ['over long after the bound: what was written until then', { entries: done(6_000, 29), facts: drains }, 'held', '29 charged'],
    ['cut at the bound: what was written until then', { entries: cut(4_010, 29), facts: drains }, 'held', '29 charged'],
    ['cut at the bound: what the client had is too little', { entries: cut(4_010, 18), facts: drains }, 'violated', 'at least 26 is right'],
    ['cut at once: what the client had', { entries: cut(3_010, 19), facts: drains }, 'held', '19 charged'],
    ['never cut, and never charged', { entries: story({ closedMs: null, ownsUntilMs: null, terminalMs: null, charges: [] }), facts: drains }, 'violated', 'its reservation is still held'],
  ]);
});

describe('longer than it takes to become stale', () => {
  const long = (amount: number | null): readonly Entry[] =>
    read({
      eventsUntilMs: 5_100, terminalMs: 5_220, upstreamEnd: { atMs: 5_150, how: 'complete', by: 'script', usage: 40 }, toldMs: 5_160,
      charges: amount === null ? [] : [{ atMs: 5_220, amount }],
    });
  table('charged-once', ALICE, [
    ['charged in full', { entries: long(40) }, 'held', '40 charged'],
    ['charged for what came before that only', { entries: long(15) }, 'violated', 'at least 40 is right'],
    ['not charged', { entries: long(null) }, 'violated', 'nothing was charged'],
  ]);
});

describe('reset by its upstream while the client was there', () => {
  const reset = (amount: number | null): readonly Entry[] =>
    read({
      upstreamEnd: { atMs: 1_650, how: 'cut', by: 'fault', usage: null }, told: { how: 'truncated', endMark: false },
      charges: amount === null ? [] : [{ atMs: 1_720, amount }],
    });
  const nothing = { policy: { ...FACTS.policy, partialBilling: 'nothing' as const } };
  table('charged-once', ALICE, [
    ['what was delivered', { entries: reset(5) }, 'held', '5 charged'],
    ['less', { entries: reset(4) }, 'violated', 'at least 5 is right'],
    ['more than was written', { entries: reset(6) }, 'violated', 'at most 5 is right'],
    ['nothing, where parts are paid for', { entries: reset(null) }, 'violated', 'nothing was charged'],
    ['nothing, where parts are not', { entries: reset(null), facts: nothing }, 'held', 'nothing was charged'],
    ['something, where parts are not', { entries: reset(1), facts: nothing }, 'violated', 'at most 0 is right'],
  ]);
});
