// Every claim on a record that clears it, and then with one thing amiss that nobody can have been cleared in spite
// of. What a claim need not care about is listed, with it.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import { crowd, CROWD, wroteTotal } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { MARKER, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { times, turnsOf } from './fixtures/turns.ts';
import { expectations } from './registry.ts';

type Amiss = 'fault' | 'path' | 'outside' | 'death' | 'clock' | 'cut';
type Clean = { readonly options: Options; readonly entries: readonly Entry[]; readonly facts?: Partial<Facts>; readonly indifferentTo?: readonly Amiss[]; readonly cutMs?: number };

const told = (how: 'complete' | 'truncated'): Partial<Knobs> => ({
  goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, eventsUntilMs: 1_600, runDelayMs: () => 0, toldMs: 1_660,
  upstreamEnd: { atMs: 1_650, how: how === 'complete' ? how : 'cut', by: 'script', usage: 5 },
  told: { how, endMark: how === 'complete' },
});
const BOBS = 'hx.bob.1.00000002';
const followUp: readonly Entry[] = [
  at(3_900, 'harness', { type: 'exchange-planned', marker: BOBS, client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive' }),
  at(4_000, 'client.bob', { type: 'request-written', connection: 1, marker: BOBS, bytes: 1 }),
  at(4_010, 'client.bob', { type: 'response-head', marker: BOBS, status: 200, contentType: 'text/event-stream' }),
  at(4_300, 'client.bob', { type: 'response-ended', marker: BOBS, how: 'complete', endMark: true, errorEvent: null, bytes: 9, events: 1, foreignMarkers: [] }),
];
const script: readonly Entry[] = [
  at(1_000, 'harness', { type: 'step', client: 'alice', index: 0, step: 'wait', edge: 'begin' }),
  at(1_200, 'harness', { type: 'step', client: 'alice', index: 0, step: 'wait', edge: 'end', outcome: 'done', reason: null }),
];
const stalled = story({
  goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, terminalMs: null, eventsUntilMs: 1_250, refund: null,
  extra: [at(1_500, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 }), at(1_610, 'upstream.model', { type: 'write-blocked', exchange: 3, queuedBytes: 1 })],
});
const asked = crowd({
  refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }],
  extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })],
  charges: [{ atMs: 3_020, amount: 19, client: 'alice' }],
});
const recent = crowd({ totals: [{ fromMs: 3_300, untilMs: Infinity, amount: 40 }], extra: [wroteTotal(3_310, 40, WALL_MS + 7_000)] });
const ALICE = { client: 'alice' };
const LEFT = { ...ALICE, after: 'gone' };
const inCrowd = (options: Options, entries: readonly Entry[] = crowd()): Clean => ({ options, entries, facts: CROWD, indifferentTo: ['clock'] });
const plain = (options: Options, ...indifferentTo: readonly Amiss[]): Clean => ({ options, entries: story({ runDelayMs: () => 0 }), indifferentTo });

const CLEAN: Readonly<Record<string, Clean>> = {
  'upstream-closed': plain({ upstream: 'model', after: 'gone', within: 2_000 }, 'death'),
  'billing-terminal': plain({ ...LEFT, within: 2_000 }),
  'renewal-stopped': plain(LEFT),
  'nothing-reserved': plain(ALICE, 'clock'),
  'charged-once': plain(LEFT),
  'no-late-charge': plain(ALICE, 'clock'),
  refundable: { ...plain(ALICE, 'clock'), cutMs: 8_250 },
  'refund-refused': { ...inCrowd({ client: 'bob' }, crowd({ refunds: [{ atMs: 8_105, verdict: 'refused' }] })), cutMs: 8_250 },
  'only-mine-released': inCrowd(ALICE),
  'siblings-untouched': inCrowd({}),
  'terminal-once': inCrowd(ALICE, asked),
  'not-swept-while-live': inCrowd({ client: 'bob' }),
  'reserved-kept': inCrowd(ALICE, recent),
  'bounded-wait': { options: { bound: 'settle', ...ALICE }, entries: story({ runDelayMs: () => 0 }), indifferentTo: ['death'] },
  'bounded-memory': plain({ 'at-most': 1_024 }, 'clock'),
  'bounded-buffering': { options: { ...ALICE, 'at-most': 1_024 }, entries: stalled, indifferentTo: ['clock'] },
  'accounting-valid': plain({}, 'clock'),
  'clean-shutdown': { ...plain({}, 'path', 'outside'), cutMs: 8_945 },
  'process-alive': plain({}, 'fault', 'path', 'outside', 'clock'),
  'stream-complete': { options: ALICE, entries: story(told('complete')), indifferentTo: ['clock'] },
  'stream-truncated-visibly': { options: ALICE, entries: story(told('truncated')), indifferentTo: ['clock'] },
  'stream-whole-or-told': { options: ALICE, entries: story(told('complete')), indifferentTo: ['clock'] },
  'follow-up-served': { options: { client: 'bob', after: 'gone', within: 1_000 }, entries: story({ runDelayMs: () => 0, extra: followUp }), indifferentTo: ['death'] },
  'keeps-serving': { options: {}, entries: story({ runDelayMs: () => 0, extra: turnsOf(...times(8, 'served')) }) },
  'script-done': { options: ALICE, entries: story({ runDelayMs: () => 0, extra: script }), indifferentTo: ['clock'] },
  'request-count': plain({ upstream: 'model', equals: 1 }),
  'no-foreign-bytes': { options: {}, entries: story(told('complete')), indifferentTo: ['clock'] },
};

const added = (entry: Entry) => (entries: readonly Entry[]): readonly Entry[] => [...entries, entry];
/** At 5 s, long after what each claim is about; a leak may be hidden by any of them. */
const AMISS: Readonly<Record<Amiss, { readonly make: (entries: readonly Entry[], cutMs: number) => readonly Entry[]; readonly words: string }>> = {
  fault: { make: added(at(5_000, 'harness', { type: 'fault', fault: 'ledger-lock', edge: 'failed', detail: 'no' })), words: 'fault ledger-lock did not fire: no' },
  path: { make: added(at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' })), words: 'precondition path was not met: no' },
  outside: { make: added(at(5_000, 'harness', { type: 'foreign-host', name: 'x.example', answered: false })), words: 'the system called x.example' },
  death: { make: added(at(5_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })), words: 'router died by itself at 5.0 s' },
  clock: { make: added(at(101, 'harness', { type: 'clock', offsetMs: 0, errorMs: 251 })), words: 'the clocks agree only to 251 ms' },
  cut: { make: (entries, cutMs) => entries.filter(({ atMs }) => atMs <= cutMs), words: 'the record breaks off' },
};

test('every claim is here', () => expect(Object.keys(CLEAN).toSorted()).toEqual(expectations.kinds.toSorted()));

describe.each(Object.entries(CLEAN))('%s', (claim, { indifferentTo = [], cutMs = 7_900, ...judged }) => {
  test('is held when nothing is amiss', () => {
    const { outcome, reason } = verdictOf(claim, judged);
    expect(outcome, reason).toBe('held');
  });

  test.each(Object.entries(AMISS))('with %s amiss', (name, { make, words }) => {
    const { outcome, reason } = verdictOf(claim, { ...judged, entries: make(judged.entries, cutMs) });
    const isIndifferent = indifferentTo.includes(name as Amiss);
    // Whoever judges the living says of the dead that they died.
    const accuses = claim === 'process-alive' && name === 'death';
    expect([outcome, reason]).toEqual([isIndifferent ? 'held' : accuses ? 'violated' : 'inconclusive', isIndifferent ? reason : expect.stringContaining(words)]);
  });
});
