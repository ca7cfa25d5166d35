// What is taken for a client that does not read: within the limit, beyond it, or not to be told.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definition } from './bounded-buffering.ts';
import { FACTS } from './fixtures/facts.ts';
import { MARKER } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { verdictOf } from './fixtures/judging.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const MIB = 1024 * 1024;
const OPTIONS = { client: 'alice', 'at-most': 32 * MIB };

const paused = (ms: number) => at(ms, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 });
const resumed = (ms: number) => at(ms, 'client.alice', { type: 'resumed', marker: MARKER });
const wrote = (ms: number, bytes: number) =>
  at(ms, 'upstream.model', { type: 'answer-progress', exchange: 3, bytes, events: 10, comments: 0 });
const got = (ms: number, bytes: number) => at(ms, 'client.alice', { type: 'received', marker: MARKER, bytes, events: 1, comments: 0 });
const blocked = (ms: number, exchange = 3) => at(ms, 'upstream.model', { type: 'write-blocked', exchange, queuedBytes: 1 });
const drained = (ms: number) => at(ms, 'upstream.model', { type: 'write-drained', exchange: 3 });

const STAYS: Partial<Knobs> = {
  goneMs: null, closedMs: null, ownsUntilMs: null, servesUntilMs: null, terminalMs: null, eventsUntilMs: 1_250, refund: null,
};

/** Alice stays and reads nothing from 1.5 s on; what the upstream gets rid of is what the test says. */
const stalled = (extra: readonly Entry[], changes: Partial<Knobs> = {}): readonly Entry[] =>
  story({ ...STAYS, ...changes, extra });

const filesOf = (bytes: (ms: number) => number) => (entries: readonly Entry[]) =>
  entries.map((entry) =>
    entry.fact.type === 'sample' && entry.fact.probe === 'process' && entry.fact.value
      ? { ...entry, fact: { ...entry.fact, value: { ...entry.fact.value, fileBytes: bytes(entry.atMs) } } }
      : entry,
  );

/** What alice has read before she stops. */
const GOT = 200;
const COMPLETE: Partial<Knobs> = { upstreamEnd: { atMs: 1_800, how: 'complete', by: 'script', usage: null } };
const DIED = at(4_000, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null });
const BOUNDED = [paused(1_500), wrote(1_600, GOT + MIB), blocked(1_610)];
const TAKEN = [paused(1_500), wrote(1_600, 20 * MIB), wrote(2_000, 60 * MIB), wrote(3_000, GOT + 200 * MIB)];

describe('bounded-buffering', () => {
  table('bounded-buffering', OPTIONS, [
    [
      'held back within the limit',
      { entries: stalled(BOUNDED) },
      'held',
      'the system took 1.0 MiB from model that alice did not read; 32.0 MiB are allowed',
    ],
    [
      'exactly at the limit',
      { entries: stalled([paused(1_500), wrote(1_600, GOT + 32 * MIB), blocked(1_610)]) },
      'held',
      'took 32.0 MiB',
    ],
    [
      'a byte beyond it',
      { entries: stalled([paused(1_500), wrote(1_600, GOT + 32 * MIB + 1), blocked(1_610)]) },
      'violated',
      'took 32.0 MiB',
    ],
    [
      'what she had got is not counted',
      { entries: stalled([got(1_400, 30 * MIB), paused(1_500), wrote(1_600, 60 * MIB), blocked(1_610)]) },
      'held',
      'took 30.0 MiB',
    ],
    [
      'all of it taken, though it was held back at the end',
      { entries: stalled([...TAKEN, blocked(3_010)]) },
      'violated',
      'took 200.0 MiB',
    ],
    [
      'where it went is told',
      { entries: filesOf((ms) => (ms < 2_000 ? 4096 : 150 * MIB))(stalled(TAKEN, { rssBytes: (ms) => (ms < 2_000 ? 10 : 12) * MIB })) },
      'violated',
      'its open files grew by 150.0 MiB, its memory grew by 2.0 MiB',
    ],
    [
      'the system ended it instead',
      { entries: stalled([paused(1_500), wrote(1_600, GOT + MIB)], { closedMs: 2_000 }) },
      'held',
      'took 1.0 MiB',
    ],
    [
      'what was taken after she read on does not count',
      { entries: stalled([...BOUNDED, resumed(1_900), ...TAKEN.slice(2)]) },
      'held',
      'took 1.0 MiB',
    ],
    ['the second pause counts', { entries: stalled([paused(1_300), resumed(1_400), ...TAKEN]) }, 'violated', 'took 200.0 MiB'],
    [
      'after she left nothing is said',
      { entries: stalled([...BOUNDED, wrote(5_000, 60 * MIB)], { goneMs: 3_000 }) },
      'held',
      'took 1.0 MiB',
    ],
    ['she never stopped reading', { entries: stalled(TAKEN.slice(1)) }, 'inconclusive', 'alice never stopped reading'],
    [
      'never held back',
      { entries: stalled([paused(1_500), wrote(1_600, GOT + MIB)]) },
      'inconclusive',
      'model could still write 6.5 s after alice stopped reading',
    ],
    ['held back for a while only', { entries: stalled([...BOUNDED, drained(2_000)]) }, 'inconclusive', 'model could still write'],
    [
      'another exchange was held back',
      { entries: stalled([paused(1_500), wrote(1_600, MIB), blocked(1_610, 9)]) },
      'inconclusive',
      'model could still write',
    ],
    [
      'no more to give',
      { entries: stalled([...BOUNDED, drained(1_700)], COMPLETE) },
      'inconclusive',
      'model had no more to give than',
    ],
    [
      'the upstream was not watched well',
      { entries: stalled([...BOUNDED, at(2_000, 'lag.upstreams', { type: 'events-dropped', process: 'upstreams', count: 3 })]) },
      'inconclusive',
      'dropped 3 observations',
    ],
    [
      'a system that died takes nothing',
      { entries: stalled([...BOUNDED, DIED]) },
      'inconclusive',
      'died by itself',
    ],
    [
      'the record breaks off',
      { entries: without(stalled(BOUNDED), ({ atMs }) => atMs > 5_000) },
      'inconclusive',
      'the record breaks off',
    ],
    ['without the process probe', { entries: without(stalled(BOUNDED), isSample('process')) }, 'held', '32.0 MiB are allowed'],
    [
      'nobody asked',
      { entries: without(stalled(BOUNDED), ({ fact }) => fact.type === 'exchange-planned') },
      'inconclusive',
      'alice planned no exchange',
    ],
    [
      'no upstream got it',
      { entries: without(stalled(BOUNDED), ({ fact }) => fact.type === 'request-received') },
      'inconclusive',
      "no upstream got alice's request",
    ],
  ]);

  const pendingAt = (ms: number, entries: readonly Entry[]): string | null =>
    definition.pending!({ timeline: timelineOf(...without(entries, ({ atMs }) => atMs > ms)), facts: FACTS, options: OPTIONS });

  test('pending until it was held back, has taken too much, or had it all', () => {
    expect(pendingAt(1_650, stalled([paused(1_500), wrote(1_600, GOT + MIB)]))).toContain('could still write');
    expect(pendingAt(1_650, stalled(BOUNDED))).toBeNull();
    expect(pendingAt(1_650, stalled(TAKEN))).toContain('could still write');
    expect(pendingAt(2_050, stalled(TAKEN))).toBeNull();
    expect(pendingAt(1_900, stalled([...BOUNDED, drained(1_700)], COMPLETE))).toBeNull();
  });

  /** Totals that grow, blocks and drains in any order, perhaps a second pause, an end, a leave. */
  const stalls = fc
    .record({
      steps: fc.array(fc.record({ afterMs: fc.integer({ min: 10, max: 900 }), bytes: fc.nat(30 * MIB) }), { maxLength: 6 }),
      turns: fc.array(fc.integer({ min: 1_510, max: 7_900 }), { maxLength: 4 }),
      resumedMs: fc.option(fc.integer({ min: 1_600, max: 7_000 }), { nil: null }),
      goneMs: fc.option(fc.integer({ min: 2_000, max: 6_000 }), { nil: null }),
      closedMs: fc.option(fc.integer({ min: 2_000, max: 7_500 }), { nil: null }),
    })
    .map(({ steps, turns, resumedMs, goneMs, closedMs }) => {
      let [ms, bytes] = [1_500, GOT];
      const written = steps.map((step) => wrote((ms += step.afterMs), (bytes += step.bytes)));
      const blocks = turns.toSorted((a, b) => a - b).map((atMs, index) => (index % 2 === 0 ? blocked(atMs) : drained(atMs)));
      return stalled([paused(1_500), ...written, ...blocks, ...(resumedMs === null ? [] : [resumed(resumedMs)])], { goneMs, closedMs });
    });
  const outcome = (entries: readonly Entry[]): string => verdictOf('bounded-buffering', { entries, options: OPTIONS }).outcome;

  test('less of the record never makes it held', () => {
    fc.assert(
      fc.property(stalls, fc.integer({ min: 1_000, max: 9_000 }), (entries, cutMs) => {
        if (outcome(entries) === 'held') return;
        expect(outcome(without(entries, ({ atMs }) => atMs > cutMs))).not.toBe('held');
        expect(outcome(without(entries, isSample('process')))).not.toBe('held');
      }),
      { numRuns: 300 },
    );
  });
});
