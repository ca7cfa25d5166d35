// Bounds to the millisecond: what is told, closed or settled in the last moment that is in time, in the first
// that is not, and what had ended in the very moment at which the bound begins. A lifetime counts from 1.1 s,
// is half over at 2.6 s, due at 4.1 s, and with the margin over at 4.35 s.
import { describe, expect, test } from 'vitest';
import { definition } from './bounded-wait.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const LIFETIME = { bound: 'lifetime', client: 'alice' };
const stays: Partial<Knobs> = { goneMs: null, servesUntilMs: 4_100, runDelayMs: () => 0, closedMs: 4_100, ownsUntilMs: 4_100, terminalMs: 4_110 };
const stayed = (changes: Partial<Knobs>) => ({ entries: story({ ...stays, ...changes }) });
const noSockets = (atMs: number): Entry => at(atMs, 'probe.sockets', { type: 'sample', probe: 'sockets', tookMs: 1, value: { rows: [] } });
const planned = (client: string, account: string): Entry =>
  at(1_050, 'harness', { type: 'exchange-planned', marker: `hx.${client}.1.00000002`, client, account, upstream: 'model', request: 'chat', purpose: 'drive' });

describe('told', () => {
  const waited = (ms: number): Partial<Knobs> => ({ runDelayMs: (now) => (now < 3_000 ? 0 : ms) });
  table('bounded-wait', LIFETIME, [
    ['in time', stayed({ toldMs: 4_100 }), 'held', 'alice was told (truncated) 0 ms after the lifetime bound of 3.0 s', { evidence: 6 }],
    ['when half of it was over', stayed({ toldMs: 2_600 }), 'held', 'alice was told (truncated) 1.5 s before'],
    ['before that', stayed({ toldMs: 2_599 }), 'inconclusive', 'something else ended it', { evidence: 1 }],
    ['when bound and margin are over', stayed({ toldMs: 4_350 }), 'held', 'alice was told'],
    ['later', stayed({ toldMs: 4_351 }), 'violated', 'alice was told only 251 ms after', { interval: [4_350, 4_351], evidence: 1 }],
    ['never', stayed({}), 'violated', 'alice was told nothing 3.9 s after', { interval: [4_350, 8_000] }],
    ['as much later as the system waited', stayed({ ...waited(100), toldMs: 4_450 }), 'inconclusive', 'which is too soon to say'],
    ['later than that', stayed({ ...waited(100), toldMs: 4_451 }), 'violated', 'alice was told only 351 ms after'],
    ['who left when bound and margin were over need not be', stayed({ goneMs: 4_349 }), 'held', 'upstream exchange 3 was closed'],
    ['who left later should have been', stayed({ goneMs: 4_350 }), 'violated', 'alice was told nothing'],
  ]);
});

describe('whom nothing can be told', () => {
  const vanished = (seenMs: number) => stayed({ how: 'vanish', wire: 'nothing', goneMs: 2_000, servesUntilMs: 2_590, extra: [noSockets(seenMs)] });
  table('bounded-wait', LIFETIME, [
    ['let go of when half of it was over', vanished(2_600), 'inconclusive', 'the system had let go of alice by 1.5 s before', { evidence: 1 }],
    ['let go of later', vanished(2_601), 'held', 'the system let go of alice, who does not read', { evidence: 6 }],
  ]);
});

describe('what waited', () => {
  const late = (atMs: number): readonly Entry[] =>
    story({ ...stays, toldMs: 4_100 }).map((entry) => (entry.fact.type === 'request-received' ? { ...entry, atMs } : entry));
  table('bounded-wait', LIFETIME, [
    ['a request that was made when half of it was over', { entries: late(3_000) }, 'held', 'upstream exchange 3 was closed'],
    ['money that may be for another', { entries: story({ ...stays, toldMs: 4_100, marked: false, extra: [planned('bob', 'acc')] }) }, 'inconclusive', 'reservation 7 may belong to another exchange'],
    ['money of another account', { entries: story({ ...stays, toldMs: 4_100, marked: false, extra: [planned('bob', 'other')] }) }, 'held', 'reservation 7 was charged'],
  ]);
});

describe('shutdown', () => {
  const open: Partial<Knobs> = { ...stays, servesUntilMs: 8_600, closedMs: 8_600, ownsUntilMs: 8_600, terminalMs: 8_600 };
  const words = (toldMs: number) => ({ entries: story({ ...open, toldMs }) });
  table('bounded-wait', { bound: 'shutdown', client: 'alice' }, [
    ['told before the signal, nobody need be told', words(8_510), 'held', 'upstream exchange 3 was closed by FIN 410 ms before the shutdown bound of 500 ms', { evidence: 5 }],
    ['told after it', words(8_511), 'held', 'alice was told', { evidence: 6 }],
  ]);
  test('is waited for to the end of the stop', () => {
    const timeline = timelineOf(...without(story({ ...LEAK, goneMs: null, exit: null }), ({ atMs }) => atMs > 8_600));
    const options = { bound: 'shutdown', client: 'alice' };
    expect(definition.pending!({ timeline, facts: FACTS, options })).toContain('alice had not been told');
  });
});

describe('a system that died while it may have been late for want of a processor', () => {
  // It waited a second: what was due at 5.25 s is late only at 6.25 s.
  const starved = (diedMs: number, changes: Partial<Knobs> = {}) => ({
    entries: story({
      ...LEAK,
      runDelayMs: (ms) => (ms < 4_000 ? 0 : 1_000),
      ...changes,
      extra: [at(diedMs, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null })],
    }),
  });
  table('billing-terminal', { client: 'alice', after: 'gone', within: 2_000 }, [
    ['before it was late', starved(6_250), 'inconclusive', 'router died by itself at 6.3 s'],
    ['after that', starved(6_252), 'violated', 'reservation 7 was still active'],
  ]);
  table('bounded-wait', { bound: 'lifetime', client: 'alice' }, [
    ['before it was late', starved(5_349, { goneMs: null, eventsUntilMs: 2_000 }), 'inconclusive', 'router died by itself at 5.3 s'],
    ['after that', starved(5_351, { goneMs: null, eventsUntilMs: 2_000 }), 'violated', 'alice was told nothing'],
  ]);
});


describe('a follow-up', () => {
  const SECOND = 'hx.bob.1.00000002';
  const asks = (writtenMs: number | null, endedMs: number, status = 200, extra: readonly Entry[] = []) => ({
    entries: story({
      runDelayMs: (ms) => (ms < 4_500 ? 0 : 100),
      extra: [
        at(2_990, 'harness', { type: 'exchange-planned', marker: SECOND, client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' }),
        ...(writtenMs === null ? [] : [at(writtenMs, 'client.bob', { type: 'request-written', connection: 1, marker: SECOND, bytes: 1 } as const)]),
        ...(writtenMs === null ? [] : [at(writtenMs + 1, 'client.bob', { type: 'response-head', marker: SECOND, status, contentType: 'text/event-stream' } as const)]),
        ...(writtenMs === null ? [] : [at(endedMs, 'client.bob', { type: 'response-ended', marker: SECOND, how: 'complete', endMark: true, errorEvent: null, bytes: 9, events: 1, foreignMarkers: [] } as const)]),
        ...extra,
      ],
    }),
  });
  const refused = (atMs: number, who: string): Entry => at(atMs, `client.${who}`, { type: 'connect-failed', error: 'ECONNREFUSED' } as Entry['fact']);
  table('follow-up-served', { client: 'bob', after: 'gone', within: 1_000 }, [
    ['when limit and margin are over', asks(4_000, 5_250), 'held', 'bob was served in 1.3 s'],
    ['later, but the system had to wait as long', asks(4_000, 5_350), 'inconclusive', 'which is too soon to say'],
    ['later than that', asks(4_000, 5_351), 'violated', 'bob was served only after 1.4 s', { interval: [5_250, 5_351] }],
    ['by the least of errors', asks(4_000, 4_100, 400), 'violated', 'status 400'],
    ['asked in the very moment of the leave', asks(3_000, 3_500), 'inconclusive', 'bob asked before', { evidence: 1 }],
    ['asked just after it', asks(3_001, 3_500), 'held', 'bob was served in 499 ms'],
    ['never sent, though another one could not connect', asks(null, 0, 0, [refused(4_000, 'carol')]), 'inconclusive', 'bob never asked'],
    ['never sent, for it could not connect', asks(null, 0, 0, [refused(4_000, 'bob')]), 'violated', 'bob could not connect: ECONNREFUSED'],
    ['an earlier one could not connect', asks(null, 0, 0, [refused(2_989, 'bob')]), 'inconclusive', 'bob never asked'],
  ]);
});
