// Two promises, tried on odd machines: a system that leaks is never cleared, and one that is right is never
// accused, however seldom the probes looked, however short the watch was, and whoever lagged.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { FACTS } from './fixtures/facts.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { at, isSample, timelineOf, watchedUntil } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Options } from '../model/fields.ts';
import type { Verdict } from '../model/verdict.ts';

const LEFT: readonly (readonly [kind: string, options: Options])[] = [
  ['upstream-closed', { upstream: 'model', after: 'gone', within: 2_000 }],
  ['billing-terminal', { client: 'alice', after: 'gone', within: 2_000 }],
  ['renewal-stopped', { client: 'alice', after: 'gone' }],
  ['nothing-reserved', { client: 'alice' }],
  ['only-mine-released', { client: 'alice' }],
  ['refundable', { client: 'alice' }],
];
const MORE: typeof LEFT = [
  ['charged-once', { client: 'alice', after: 'gone' }],
  ['no-late-charge', { client: 'alice' }],
  ['terminal-once', { client: 'alice' }],
  ['accounting-valid', {}],
  ['process-alive', {}],
  ['clean-shutdown', {}],
  ['request-count', { upstream: 'model', client: 'alice', equals: 1 }],
];

/** How the run was watched, which is nobody's fault. */
type Watching = {
  readonly untilMs: number;
  readonly keep: readonly boolean[];
  readonly lag: { readonly atMs: number; readonly lagMs: number } | null;
};

const watching: fc.Arbitrary<Watching> = fc.record({
  untilMs: fc.constantFrom(3_300, 3_800, 4_000, 4_200, 4_500, 5_000, 5_400, 6_500, 8_000),
  keep: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  lag: fc.option(fc.record({ atMs: fc.integer({ min: 2_800, max: 6_000 }), lagMs: fc.integer({ min: 50, max: 900 }) }), { nil: null }),
});

const judged = (claims: typeof LEFT, entries: readonly Entry[], { untilMs, keep, lag }: Watching): readonly Verdict[] => {
  const seen = watchedUntil(entries, untilMs).filter((entry, index) => !isSample('ledger')(entry) || entry.atMs < 1_100 || keep[index % keep.length]);
  const lagged = lag === null ? [] : [at(lag.atMs, 'lag.upstreams', { type: 'scheduling-lag', process: 'upstreams', lagMs: lag.lagMs } as const)];
  return judge({
    timeline: timelineOf(...seen, ...lagged),
    control: timelineOf(...control()),
    facts: FACTS,
    claims: claims.map(([kind, options]) => ({ kind, id: kind, options, notApplicable: null })),
  });
};

const said = (verdicts: readonly Verdict[], outcome: Verdict['outcome']): readonly string[] =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map(({ id, reason }) => `${id}: ${reason}`);

const system = fc.record({
  how: fc.constantFrom('fin', 'half-close'),
  marked: fc.boolean(),
  everyMs: fc.constantFrom(50, 100, 400),
  starvedMs: fc.integer({ min: 0, max: 900 }),
  starvedAtMs: fc.integer({ min: 2_900, max: 7_000 }),
});

type System = Partial<Knobs> & { readonly starvedMs: number; readonly starvedAtMs: number };
const knobsOf = ({ starvedMs, starvedAtMs, ...knobs }: System): Partial<Knobs> => ({
  ...knobs,
  runDelayMs: (ms) => (ms > starvedAtMs ? starvedMs : 0),
});

test('a leak is never cleared', () => {
  fc.assert(
    fc.property(system, watching, fc.constantFrom(1_300, Infinity), (knobs, how, eventsUntilMs) => {
      expect(said(judged(LEFT, story({ ...LEAK, ...knobsOf(knobs), eventsUntilMs }), how), 'held')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a system that is right is never accused', () => {
  const right = fc.record({
    closedMs: fc.integer({ min: 3_002, max: 3_400 }),
    lettingMs: fc.integer({ min: -1, max: 100 }),
    closedHow: fc.constantFrom('fin' as const, 'rst' as const),
    terminalMs: fc.integer({ min: 3_002, max: 4_900 }),
    renewUntilMs: fc.constantFrom(2_000, 3_000, 3_600),
    more: fc.integer({ min: 0, max: 1 }),
  });
  fc.assert(
    fc.property(system, right, watching, (knobs, { lettingMs, more, ...ends }, how) => {
      const received = Math.floor((2_997 - 1_200) / knobs.everyMs) + 1;
      const entries = story({
        ...knobsOf(knobs),
        ...ends,
        ownsUntilMs: ends.closedMs + lettingMs,
        // The event that is written as she leaves may be charged, where there is one.
        charges: [{ atMs: ends.terminalMs, amount: received + (knobs.everyMs === 400 ? 0 : more) }],
      });
      // The watch begins when nothing is pending any more.
      const untilMs = Math.max(how.untilMs, ends.terminalMs + 500);
      expect(said(judged([...LEFT, ...MORE], entries, { ...how, untilMs }), 'violated')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
