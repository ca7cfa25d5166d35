// What a run must refuse to conclude, case by case as the catalogue numbers them. Each row is one record in which
// something is amiss, what each claim may still say of it, and the words it says it with; the other tests of this
// folder have the boundaries.
import { describe, expect, test } from 'vitest';
import type { Options } from '../model/fields.ts';
import type { Outcome } from '../model/verdict.ts';
import { verdictOf } from './fixtures/judging.ts';
import type { Judged } from './fixtures/judging.ts';
import { LEAK, MARKER } from './fixtures/knobs.ts';
import { control, story } from './fixtures/story.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const OPTIONS: Readonly<Record<string, Options>> = {
  'upstream-closed': { upstream: 'model', after: 'gone', within: 2_000 },
  'billing-terminal': { client: 'alice', after: 'gone', within: 2_000 },
  'renewal-stopped': { client: 'alice', after: 'gone' },
  'nothing-reserved': { client: 'alice' },
  'only-mine-released': { client: 'alice' },
  'charged-once': { client: 'alice', after: 'gone' },
  'stream-whole-or-told': { client: 'alice' },
  'process-alive': {},
};

type Said = readonly [claim: string, outcome: Outcome, words: string];
type Refusal = Judged & { readonly situation: string; readonly says: readonly Said[] };

const lost = (fromMs: number): readonly Entry[] =>
  story().map((entry) =>
    isSample('ledger')(entry) && entry.atMs >= fromMs
      ? { ...entry, fact: { type: 'sample', probe: 'ledger', tookMs: 1, error: 'disk I/O error' } as const }
      : entry,
  );
const hidden = story({ ...LEAK, eventsUntilMs: 1_300 }).map((entry) =>
  entry.fact.type === 'path-control' && entry.fact.leg === 'upstream' ? { ...entry, fact: { ...entry.fact, seen: false } } : entry,
);
const refused = without(
  story({ charges: [], toldMs: 1_200, told: { how: 'complete', errorEvent: 'status 502' } }),
  ({ fact, actor }) => actor === 'upstream.model' || fact.type === 'received',
).map((entry) => (entry.fact.type === 'response-head' ? { ...entry, fact: { ...entry.fact, status: 502 } } : entry));
const takenOver = at(3_700, 'upstream.model', {
  type: 'request-received', connection: 7, exchange: 9, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless',
});
const outside = (atMs: number): Entry => at(atMs, 'harness', { type: 'foreign-host', name: 'api.prices.example', answered: false });

const REFUSALS: Readonly<Record<string, Refusal>> = {
  D1: {
    situation: 'the reservation lives on, its lease does not move, and no renewal was seen before',
    entries: story({ ...LEAK, renewUntilMs: 1_200 }),
    says: [['renewal-stopped', 'inconclusive', 'nothing to stop']],
  },
  D2: {
    situation: 'the ledger was sampled more slowly than a lease lasts',
    entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 3_200 && entry.atMs < 7_600),
    says: [['renewal-stopped', 'inconclusive', 'probe ledger too slow'], ['billing-terminal', 'inconclusive', 'too slow']],
  },
  D3: {
    situation: 'a direct close was not seen',
    entries: hidden,
    says: [['upstream-closed', 'inconclusive', 'path hides closes']],
  },
  D4: {
    situation: 'the upstream connection was not open at the mark',
    entries: story({ closedMs: 2_900, ownsUntilMs: 2_900 }),
    says: [['upstream-closed', 'inconclusive', 'was not open at']],
  },
  D5: {
    situation: 'a fault did not fire',
    entries: story({ extra: [at(3_050, 'harness', { type: 'fault', fault: 'upstream-stop', edge: 'failed', detail: 'no such mark' })] }),
    says: [
      ...['upstream-closed', 'billing-terminal', 'renewal-stopped', 'nothing-reserved', 'only-mine-released', 'charged-once'].map(
        (claim): Said => [claim, 'inconclusive', 'fault upstream-stop did not fire: no such mark'],
      ),
      ['process-alive', 'held', 'router was there'],
    ],
  },
  D6: {
    situation: 'the watchers lagged, or the system was starved',
    entries: story({
      extra: [at(3_100, 'lag.harness', { type: 'scheduling-lag', process: 'harness', lagMs: 400 })],
      runDelayMs: (ms) => (ms > 6_500 ? 600 : 0),
    }),
    says: [['upstream-closed', 'inconclusive', 'harness lagged'], ['renewal-stopped', 'inconclusive', 'lagged'], ['nothing-reserved', 'held', '']],
  },
  D7: {
    situation: 'the system died by itself before the mark',
    entries: without(story({ exit: { atMs: 2_500, code: null, signal: 'SIGSEGV' }, closedMs: 2_501, ownsUntilMs: 2_501 }), ({ fact }) => fact.type === 'signal-sent'),
    says: [
      ['process-alive', 'violated', 'router died by itself'],
      ['upstream-closed', 'inconclusive', ''],
      ['nothing-reserved', 'inconclusive', 'router died by itself'],
      ['only-mine-released', 'inconclusive', 'router died by itself'],
    ],
  },
  D8: {
    situation: 'an error was answered instead of a stream',
    entries: refused,
    says: [['upstream-closed', 'inconclusive', 'precondition stream was not met: the system answered alice with status 502'], ['charged-once', 'inconclusive', '']],
  },
  D9: {
    situation: 'the ledger was lost half-way',
    entries: lost(7_000),
    says: [
      ...['billing-terminal', 'renewal-stopped', 'nothing-reserved', 'only-mine-released', 'charged-once'].map(
        (claim): Said => [claim, 'inconclusive', 'probe ledger lost the ledger'],
      ),
      ['upstream-closed', 'held', 'closed by FIN'],
    ],
  },
  D10: {
    situation: 'the upstream was ended by its own script before the client left',
    entries: story({ ...LEAK, eventsUntilMs: 2_400, upstreamEnd: { atMs: 2_500, how: 'complete', by: 'script', usage: 13 } }),
    says: [['upstream-closed', 'inconclusive', 'was ended by its own script 500 ms before']],
  },
  D11: {
    situation: "the control's exchange closed by itself at that age",
    entries: story(),
    control: control({ closedMs: 3_005 }),
    says: [['upstream-closed', 'inconclusive', "the system's own time-out"]],
  },
  D12: {
    situation: 'a client that was reading never got its first chunk',
    entries: without(story({ toldMs: 3_100, goneMs: null }), ({ fact }) => fact.type === 'received'),
    says: [['stream-whole-or-told', 'inconclusive', 'never reached alice: the system buffers']],
  },
  D13: {
    situation: 'the connection closed, and another one took the exchange over',
    entries: story({ extra: [takenOver] }),
    says: [['upstream-closed', 'violated', 'still working for the gone']],
  },
  D14: {
    situation: 'the money is clean, the upstream open',
    entries: story({ closedMs: null, ownsUntilMs: null }),
    says: [['upstream-closed', 'violated', 'still open'], ['billing-terminal', 'held', ''], ['nothing-reserved', 'held', '']],
  },
  D15: {
    situation: 'the system called an outside host without a stand-in',
    entries: story({ extra: [outside(2_000)] }),
    says: [
      ['upstream-closed', 'inconclusive', 'the system called api.prices.example at 2.0 s, for which there is no stand-in'],
      ['billing-terminal', 'inconclusive', 'api.prices.example'],
      ['nothing-reserved', 'inconclusive', 'api.prices.example'],
      ['only-mine-released', 'inconclusive', 'api.prices.example'],
    ],
  },
};

test('every case of the catalogue is here', () => {
  expect(Object.keys(REFUSALS)).toEqual(Array.from({ length: 15 }, (_, index) => `D${index + 1}`));
});

describe.each(Object.entries(REFUSALS))('%s', (_, { situation, says, ...judged }) => {
  test.each(says)(`${situation}: %s is %s`, (claim, outcome, words) => {
    const verdict = verdictOf(claim, { ...judged, options: OPTIONS[claim]! });
    expect(`${verdict.outcome}: ${verdict.reason}`).toContain(words);
    expect(verdict.outcome, verdict.reason).toBe(outcome);
  });
});

test('the same record with nothing amiss is held throughout', () => {
  for (const [claim, options] of Object.entries(OPTIONS)) {
    const entries = claim === 'stream-whole-or-told' ? story({ goneMs: null, toldMs: 3_100 }) : story();
    expect([claim, verdictOf(claim, { entries, options }).outcome]).toEqual([claim, 'held']);
  }
});

describe('a call to an outside host', () => {
  const outcomeOf = (claim: string, entries: readonly Entry[]) => verdictOf(claim, { entries, options: OPTIONS[claim]! }).outcome;
  test('does not matter when a stand-in answered it, or the scenario had not begun', () => {
    const answered = at(2_000, 'harness', { type: 'foreign-host', name: 'api.prices.example', answered: true });
    expect(outcomeOf('upstream-closed', story({ extra: [answered] }))).toBe('held');
    expect(outcomeOf('upstream-closed', story({ extra: [outside(1_049)] }))).toBe('held');
    expect(outcomeOf('upstream-closed', story({ extra: [outside(1_050)] }))).toBe('inconclusive');
  });
  test('excuses nothing that was plainly seen', () => {
    expect(outcomeOf('upstream-closed', story({ ...LEAK, extra: [outside(2_000)] }))).toBe('violated');
    expect(outcomeOf('renewal-stopped', story({ ...LEAK, extra: [outside(2_000)] }))).toBe('violated');
  });
});
