// What must be true of every judge whatever was recorded: less evidence never makes a claim held, and
// neither order nor repetition changes a word.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Facts } from '../model/facts.ts';
import { createTimeline } from '../model/timeline.ts';
import { CROWD_CLAIMS, STORY_CLAIMS } from './fixtures/claims.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { at, isSample, observationsOf, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { judge } from './judge.ts';
import { expectations } from './registry.ts';

const judged = (timeline: ReturnType<typeof timelineOf>, facts: Partial<Facts> = {}) =>
  judge({
    timeline,
    control: timelineOf(...control()),
    facts: { ...FACTS, ...facts },
    claims: STORY_CLAIMS.map(([kind, options], index) => ({ kind, id: `${kind}#${index}`, options, notApplicable: null })),
  });

const maybe = (from: number, to: number) => fc.option(fc.integer({ min: from, max: to }), { nil: null });

/** Stories of all kinds: clean, leaking, late, starved, lagging, dying, badly watched. */
const knobs: fc.Arbitrary<Partial<Knobs>> = fc
  .record({
    goneMs: fc.constantFrom(3_000, 3_000, 3_000, null),
    how: fc.constantFrom('fin', 'half-close'),
    closedMs: maybe(2_500, 7_000),
    lettingMs: fc.integer({ min: -10, max: 3_000 }),
    eventsUntilMs: fc.constantFrom(1_300, 2_500, Infinity),
    toldMs: maybe(2_000, 7_500),
    terminalMs: maybe(2_500, 7_000),
    // Not within the silence that is allowed before the end of the watch: what came in it a lost probe need not have missed.
    chargedMs: maybe(2_500, 7_550),
    amount: fc.integer({ min: 0, max: 40 }),
    refund: fc.constantFrom('accepted' as const, 'refused' as const, null),
    starvedMs: fc.constantFrom(0, 0, 700),
    died: maybe(2_000, 8_000),
    lag: fc.option(fc.record({ atMs: fc.integer({ min: 2_500, max: 8_200 }), lagMs: fc.integer({ min: 100, max: 900 }) }), { nil: null }),
    dropped: maybe(2_000, 8_200),
    whole: fc.boolean(),
  })
  .map(({ lettingMs, chargedMs, amount, starvedMs, died, lag, dropped, whole, ...rest }) => ({
    ...rest,
    ownsUntilMs: rest.closedMs === null ? null : rest.closedMs + lettingMs,
    servesUntilMs: rest.closedMs,
    charges: chargedMs === null ? [] : [{ atMs: chargedMs, amount }],
    ...(whole && rest.toldMs !== null
      ? ({
          upstreamEnd: { atMs: rest.toldMs - 10, how: 'complete', by: 'script', usage: null },
          told: { how: 'complete', endMark: true },
        } as const)
      : {}),
    runDelayMs: (ms: number) => (ms > 4_000 ? starvedMs : 0),
    extra: [
      ...(died === null ? [] : [at(died, 'system', { type: 'process-exited', process: 'router', code: 1, signal: null } as const)]),
      ...(lag === null ? [] : [at(lag.atMs, 'lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: lag.lagMs } as const)]),
      ...(dropped === null ? [] : [at(dropped, 'lag.clients', { type: 'events-dropped', process: 'upstreams', count: 1 } as const)]),
    ],
  }));

const newlyHeld = (before: readonly { id: string; outcome: string }[], after: readonly { id: string; outcome: string; reason: string }[]) =>
  after.filter(({ outcome }, index) => outcome === 'held' && before[index]!.outcome !== 'held').map(({ id, reason }) => `${id}: ${reason}`);

test('no registered claim is left out', () => {
  const asked = new Set([...STORY_CLAIMS, ...CROWD_CLAIMS].map(([kind]) => kind));
  expect(expectations.kinds.filter((kind) => !asked.has(kind))).toEqual([]);
});

test('where there is no system no judge fails', () => {
  const system = { listen: '', address: '', main: 'none', instances: [], absent: true } as const;
  fc.assert(
    fc.property(knobs, (changes) => {
      const verdicts = judged(timelineOf(...story(changes)), { system });
      const reasons = verdicts.flatMap(({ id, reason }) => (expectations.get(id.split('#')[0]!)!.withoutSystem ? [reason] : []));
      expect(reasons.length).toBeGreaterThan(0);
      expect(reasons.filter((reason) => reason.startsWith('harness fault'))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test('cutting off the tail never makes a claim held', () => {
  fc.assert(
    fc.property(knobs, fc.integer({ min: 1_000, max: 9_000 }), (changes, cutMs) => {
      const entries = story(changes);
      expect(newlyHeld(judged(timelineOf(...entries)), judged(timelineOf(...without(entries, ({ atMs }) => atMs > cutMs))))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('taking a whole probe away never makes a claim held', () => {
  fc.assert(
    fc.property(knobs, fc.constantFrom('ledger', 'sockets', 'process'), (changes, probe) => {
      const entries = story(changes);
      expect(newlyHeld(judged(timelineOf(...entries)), judged(timelineOf(...without(entries, isSample(probe)))))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('losing a probe half-way never makes a claim held', () => {
  fc.assert(
    fc.property(
      knobs,
      fc.constantFrom('ledger', 'sockets', 'process'),
      fc.integer({ min: 1_000, max: 8_500 }),
      (changes, probe, lostMs) => {
        const entries = story(changes);
        const lost = (entry: Entry): boolean => isSample(probe)(entry) && entry.atMs > lostMs;
        expect(newlyHeld(judged(timelineOf(...entries)), judged(timelineOf(...without(entries, lost))))).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});

test('order and repetition change not a byte', () => {
  fc.assert(
    fc.property(
      knobs.chain((changes) =>
        fc.record({
          changes: fc.constant(changes),
          order: fc.shuffledSubarray(observationsOf(story(changes)).slice(), { minLength: observationsOf(story(changes)).length }),
        }),
      ),
      ({ changes, order }) => {
        const whole = JSON.stringify(judged(timelineOf(...story(changes))));
        expect(JSON.stringify(judged(createTimeline(order)))).toBe(whole);
        expect(JSON.stringify(judged(createTimeline([...order, ...order.slice(0, 50)])))).toBe(whole);
      },
    ),
    { numRuns: 30 },
  );
});

test('no judge fails on any of them', () => {
  fc.assert(
    fc.property(knobs, fc.constantFrom(LEAK, {}), (changes, more) => {
      expect(judged(timelineOf(...story({ ...changes, ...more }))).filter(({ reason }) => reason.startsWith('harness fault'))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
