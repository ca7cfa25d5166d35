// The same promises where several clients are served: less evidence never makes a claim held, and neither the order of
// actors within a moment nor a fact told twice changes a word.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../model/verdict.ts';
import { createTimeline } from '../model/timeline.ts';
import type { Timeline } from '../model/timeline.ts';
import { CROWD_CLAIMS } from './fixtures/claims.ts';
import { crowd, CROWD, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd, Person } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { WALL_MS } from './fixtures/knobs.ts';
import { at, isSample, observationsOf, timelineOf, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import { judge } from './judge.ts';

const judged = (timeline: Timeline): readonly Verdict[] =>
  judge({
    timeline,
    control: null,
    facts: { ...FACTS, ...CROWD },
    claims: CROWD_CLAIMS.map(([kind, options], index) => ({ kind, id: `${kind}#${index}`, options, notApplicable: null })),
  });

const maybe = (from: number, to: number) => fc.option(fc.integer({ min: from, max: to }), { nil: null });
const TELLING = ['accepted', 'refused', 'unexpected'] as const;

const sibling: fc.Arbitrary<Partial<Person>> = fc.record({
  terminalMs: maybe(1_500, 7_900),
  isDeleted: fc.boolean(),
  closedMs: maybe(1_500, 10_000),
  upstreamEndMs: maybe(4_000, 10_000),
  everyMs: fc.constantFrom(50, 100, 900),
});

/** Siblings that are left alone, robbed, cut or let lapse, beside one that leaves and is settled, or not. */
const crowds: fc.Arbitrary<readonly Entry[]> = fc
  .record({
    alice: fc.record({ terminalMs: maybe(3_005, 8_500), closedMs: maybe(3_005, 8_500), leftMs: fc.constantFrom(3_000, null) }),
    bob: fc.oneof(fc.constant({}), sibling),
    carol: fc.oneof(fc.constant({}), sibling),
    marked: fc.boolean(),
    refunds: fc.array(fc.record({ atMs: fc.integer({ min: 8_050, max: 10_900 }), verdict: fc.constantFrom(...TELLING) }), { maxLength: 3 }),
    starvedMs: fc.constantFrom(0, 0, 700),
    starvedAtMs: fc.constantFrom(4_000, 6_500),
    wroteMs: maybe(2_000, 5_000),
    finishMs: maybe(8_100, 9_000),
  })
  .map(({ starvedMs, starvedAtMs, finishMs, wroteMs, ...rest }): Partial<Crowd> => ({
    ...rest,
    refunds: rest.refunds.toSorted((a, b) => a.atMs - b.atMs),
    runDelayMs: (ms) => (ms > starvedAtMs ? starvedMs : 0),
    totals: wroteMs === null ? [] : [{ fromMs: wroteMs, untilMs: Infinity, amount: 50 }],
    extra: [
      ...(finishMs === null ? [] : [at(finishMs, 'harness', { type: 'let-finish', marker: null, count: 0 })]),
      ...(wroteMs === null ? [] : [wroteTotal(wroteMs, 50, WALL_MS + wroteMs)]),
    ],
  }))
  .map(crowd);

const newlyHeld = (before: readonly Entry[], after: readonly Entry[]): readonly string[] => {
  const whole = judged(timelineOf(...before));
  return judged(timelineOf(...after))
    .filter(({ outcome }, index) => outcome === 'held' && whole[index]!.outcome !== 'held')
    .map(({ id, reason }) => `${id}: ${reason}`);
};

test('cutting off the tail never makes a claim held', () => {
  fc.assert(
    fc.property(crowds, fc.integer({ min: 1_000, max: 11_500 }), (entries, cutMs) => {
      expect(newlyHeld(entries, without(entries, ({ atMs }) => atMs > cutMs))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('losing a probe, at once or half-way, never makes a claim held', () => {
  const whenever = fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 11_000 }));
  const losses = fc.tuple(fc.constantFrom('ledger', 'sockets', 'process'), whenever);
  fc.assert(
    fc.property(crowds, losses, (entries, [probe, lostMs]) => {
      expect(newlyHeld(entries, without(entries, (entry) => isSample(probe)(entry) && entry.atMs > lostMs))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('order and repetition change not a byte', () => {
  fc.assert(
    fc.property(crowds, fc.array(fc.nat(10_000), { minLength: 20, maxLength: 50 }), fc.boolean(), (entries, picks, isReversed) => {
      const observations = observationsOf(entries);
      const whole = JSON.stringify(judged(createTimeline(observations)));
      const told = picks.map((pick) => observations[pick % observations.length]!);
      expect(JSON.stringify(judged(createTimeline([...told, ...(isReversed ? observations.toReversed() : observations)])))).toBe(whole);
    }),
    { numRuns: 40 },
  );
});

test('no judge fails on any of them', () => {
  fc.assert(
    fc.property(crowds, (entries) => {
      expect(judged(timelineOf(...entries)).filter(({ reason }) => reason.startsWith('harness fault'))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
