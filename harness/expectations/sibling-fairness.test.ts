// The two promises for several clients: whoever takes from a sibling is never cleared, and whoever leaves it alone is
// never accused, however seldom the ledger was seen, whichever clock wrote the leases, and whoever was starved.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Options } from '../model/fields.ts';
import type { Verdict } from '../model/verdict.ts';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd, Person } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { at, isSample, timelineOf } from './fixtures/timeline.ts';
import { judge } from './judge.ts';

const ABOUT_BOB: readonly (readonly [kind: string, options: Options])[] = [
  ['siblings-untouched', {}],
  ['not-swept-while-live', { client: 'bob' }],
  ['only-mine-released', { client: 'alice' }],
];
const ALL: typeof ABOUT_BOB = [
  ...ABOUT_BOB,
  ['refund-refused', { client: 'bob' }],
  ['terminal-once', { client: 'alice' }],
  ['renewal-stopped', { client: 'alice', after: 'gone' }],
  ['accounting-valid', {}],
];

const watching = fc.record({
  keep: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  aheadMs: fc.constantFrom(0, 3_600_000, -3_600_000),
  everyMs: fc.integer({ min: 50, max: 1_500 }),
  starvedMs: fc.integer({ min: 0, max: 900 }),
  starvedAtMs: fc.integer({ min: 2_000, max: 7_900 }),
  marked: fc.boolean(),
});
type Watching = typeof watching extends fc.Arbitrary<infer W> ? W : never;

const said = (claims: typeof ABOUT_BOB, bob: Partial<Person>, how: Watching, outcome: Verdict['outcome']): readonly string[] => {
  const lease = (ms: number): number => 1_100 + Math.floor((ms - 1_100) / 500) * 500 + how.aheadMs;
  const changes: Partial<Crowd> = {
    bob: { everyMs: how.everyMs, lease, ...bob },
    marked: how.marked,
    runDelayMs: (ms) => (ms > how.starvedAtMs ? how.starvedMs : 0),
    refunds: [{ atMs: 8_105, verdict: 'refused' }, { atMs: 8_200, verdict: 'refused' }],
    extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })],
  };
  const entries = crowd(changes).filter((entry, index) => !isSample('ledger')(entry) || entry.atMs < 1_200 || how.keep[index % how.keep.length]);
  return judge({
    timeline: timelineOf(...entries),
    control: null,
    facts: { ...FACTS, ...CROWD },
    claims: claims.map(([kind, options]) => ({ kind, id: kind, options, notApplicable: null })),
  })
    .filter((verdict) => verdict.outcome === outcome)
    .map(({ id, reason }) => `${id}: ${reason}`);
};

test('whoever releases what a sibling holds is never cleared', () => {
  fc.assert(
    fc.property(watching, fc.integer({ min: 1_500, max: 6_000 }), fc.boolean(), (how, terminalMs, isDeleted) => {
      expect(said(ABOUT_BOB.slice(0, 2), { terminalMs, isDeleted }, how, 'held')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('whoever cuts its stream or lets its lease lapse is never cleared', () => {
  fc.assert(
    fc.property(watching, fc.integer({ min: 1_500, max: 6_500 }), fc.boolean(), (how, cutMs, isLapse) => {
      const wrong: Partial<Person> = isLapse ? { lease: (ms) => Math.min(ms, cutMs - 400) } : { closedMs: cutMs };
      expect(said(ABOUT_BOB.slice(0, 1), wrong, how, 'held')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('whoever leaves it alone is never accused', () => {
  fc.assert(
    fc.property(watching, (how) => {
      expect(said(ALL, {}, how, 'violated')).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
