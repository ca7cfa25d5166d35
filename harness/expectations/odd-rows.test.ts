// Rows that come back, that another takes the place of, or that belong to an earlier attempt; siblings that ask more
// than once, that have nothing more to get, or that were wronged before a fault stopped who served them.
import { describe } from 'vitest';
import { crowd, CROWD, markerOf } from './fixtures/crowd.ts';
import type { Crowd, Person } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';

const tell = (changes: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const bob = (changes: Partial<Person>, more: Partial<Crowd> = {}): Row[1] => tell({ bob: changes, ...more });
const row = (change: (row: Reservation, ms: number) => readonly Reservation[]) => (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  reservations: value.reservations.flatMap((each) => (each.id === '8' ? change(each, ms) : [each])),
});
const over = { state: 'released', terminal: true };
const flickers = row((each, ms) => [ms >= 4_000 && ms < 4_300 ? { ...each, ...over } : each]);
const vanishes = row((each, ms) => (ms >= 4_000 && ms < 4_300 ? [] : [each]));
/** Row 8 is over at 2 s, when another of the same exchange takes its place. */
const replaced = (sinceMs: number) => row((each, ms) => [ms < 2_000 ? each : { ...each, ...over }, ...(ms < sinceMs ? [] : [{ ...each, id: '8b' }])]);

describe('a row that was over and is live again', () => {
  table('siblings-untouched', {}, [
    ['released for a while', tell({ ledger: flickers }), 'violated', 'reservation 8 of bob was released at 4.1 s, while it was being served'],
    ['gone for a while', tell({ ledger: vanishes }), 'violated', 'reservation 8 of bob was gone at 4.1 s'],
  ]);
  table('not-swept-while-live', { client: 'bob' }, [
    ['released for a while', tell({ ledger: flickers }), 'violated', 'reservation 8 was released at 4.1 s'],
    ['gone for a while', tell({ ledger: vanishes }), 'violated', 'reservation 8 was gone at 4.1 s'],
  ]);
  table('only-mine-released', { client: 'alice' }, [
    ['released for a while', tell({ ledger: flickers }), 'violated', 'reservation 8 of bob was released at 4.1 s'],
  ]);
});

/** Bob had asked the same before, under the same marker: that was answered, and its row is over. */
const earlier = (entries: readonly Entry[]): readonly Entry[] => {
  const marker = markerOf('bob');
  const plan = { type: 'exchange-planned', marker, client: 'bob', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' } as const;
  return entries
    .flatMap((entry) => {
      const { fact } = entry;
      if (fact.type !== 'exchange-planned' || fact.client !== 'bob') return [entry];
      return [{ ...entry, fact: { ...fact, repeat: true } }];
    })
    .concat([
      at(700, 'harness', plan),
      at(701, 'client.bob', { type: 'request-written', connection: 1, marker, bytes: 1 }),
      at(710, 'upstream.model', { type: 'request-received', connection: 70, exchange: 70, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'finite' }),
      at(720, 'upstream.model', { type: 'answer-progress', exchange: 70, bytes: 1, events: 1, comments: 0 }),
      at(730, 'upstream.model', { type: 'answer-ended', exchange: 70, marker, how: 'complete', by: 'script', bytes: 1, events: 1, usage: 1 }),
      at(740, 'client.bob', { type: 'response-ended', marker, how: 'complete', endMark: true, errorEvent: null, bytes: 1, events: 1, foreignMarkers: [] }),
    ]);
};
const firstRow = (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  reservations: [
    ...(ms < 702 ? [] : [{ id: '5', account: 'acc', payer: 'acc', amount: 100, marker: markerOf('bob'), leaseAtMs: 1, ...(ms < 800 ? { state: 'active', terminal: false } : over) }]),
    ...value.reservations,
  ],
});
const again = (): Row[1] => ({ entries: earlier(crowd({ ledger: firstRow })), facts: CROWD });

describe('a row of an attempt that was over', () => {
  table('siblings-untouched', { clients: ['bob'] }, [['is none of the next one', again(), 'held', 'reservation 8 of bob was held']]);
  table('not-swept-while-live', { client: 'bob' }, [['is none of the next one', again(), 'held', 'reservation 8 was held']]);
  table('only-mine-released', { client: 'alice' }, [['is none of the next one', again(), 'held', "alice's exchange was released"]]);
});

describe('a row whose place another takes', () => {
  table('not-swept-while-live', { client: 'bob' }, [
    ['at once', tell({ ledger: replaced(2_000) }), 'inconclusive', 'another took its place'],
    ['too late', tell({ ledger: replaced(2_200) }), 'violated', 'reservation 8 was released at 2.1 s'],
  ]);
  table('siblings-untouched', { clients: ['bob'] }, [
    ['at once', tell({ ledger: replaced(2_000) }), 'inconclusive', 'another took its place'],
    ['too late', tell({ ledger: replaced(2_200) }), 'violated', 'reservation 8 of bob was released at 2.1 s'],
  ]);
  table('only-mine-released', { client: 'alice' }, [
    ['at once', tell({ ledger: replaced(2_000) }), 'inconclusive', 'another took its place'],
    ['too late', tell({ ledger: replaced(2_200) }), 'violated', 'reservation 8 of bob was released at 2.1 s'],
  ]);
});

const sent = (atMs: number, process = 'router', name = 'SIGKILL'): Entry => at(atMs, 'harness', { type: 'signal-sent', process, signal: name, purpose: 'fault' });
const TWO = {
  system: {
    ...FACTS.system,
    instances: [
      { process: 'router', address: '127.0.0.2', listen: '127.0.0.2:8000', clockAheadMs: 0 },
      { process: 'router.2', address: '127.0.0.3', listen: '127.0.0.3:8000', clockAheadMs: 0 },
    ],
  },
};
const second = { instance: '127.0.0.3:8000' };

describe('a sibling that was wronged before a fault stopped who served it', () => {
  table('siblings-untouched', {}, [
    ['its row was released', tell({ bob: { ...second, terminalMs: 4_000 }, extra: [sent(6_500, 'router.2')] }, TWO), 'violated', 'reservation 8 of bob was released at 4.1 s'],
    ['its stream was cut', tell({ bob: { ...second, closedMs: 4_000 }, extra: [sent(6_500, 'router.2')] }, TWO), 'violated', "bob's stream was cut"],
    ['its row was released after that', tell({ bob: { ...second, terminalMs: 6_501 }, extra: [sent(6_500, 'router.2')] }, TWO), 'held', '1 more were served'],
    ['its stream was cut by that', tell({ bob: { ...second, closedMs: 6_500 }, extra: [sent(6_500, 'router.2')] }, TWO), 'held', '1 more were served'],
    ['its lease was about to lapse when that came', tell({ bob: { ...second, lease: (ms) => Math.min(ms, 5_000) }, extra: [sent(6_500, 'router.2')] }, TWO), 'held', '1 more were served'],
  ]);
});

describe('a sibling whose upstream has nothing more', () => {
  const blocked = at(5_010, 'upstream.model', { type: 'write-blocked', exchange: 4, queuedBytes: 1 });
  table('siblings-untouched', {}, [
    ['it gets nothing more either', bob({ writesUntilMs: 5_000 }), 'inconclusive', 'its upstream wrote nothing more'],
    ['it would write if it could', bob({ writesUntilMs: 5_000 }, { extra: [blocked] }), 'violated', 'bob receives nothing more'],
    ['it writes on', bob({ readsUntilMs: 5_000 }), 'violated', 'bob receives nothing more'],
  ]);
});

describe('a sibling that asked before', () => {
  const marker = 'hx.bob.0.0000000a';
  const before = (end: Entry): readonly Entry[] => [
    at(1_060, 'harness', { type: 'exchange-planned', marker, client: 'bob', account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' }),
    at(1_061, 'client.bob', { type: 'request-written', connection: 1, marker, bytes: 1 }),
    at(1_062, 'upstream.model', { type: 'request-received', connection: 50, exchange: 50, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
    at(1_063, 'upstream.model', { type: 'answer-progress', exchange: 50, bytes: 1, events: 1, comments: 0 }),
    at(1_064, 'client.bob', { type: 'received', marker, bytes: 1, events: 1, comments: 0 }),
    end,
  ];
  const cut = at(1_070, 'upstream.model', { type: 'peer-closed', connection: 50, exchange: 50, marker, how: 'fin', bytes: 1, events: 1 });
  const ended = at(1_070, 'upstream.model', { type: 'answer-ended', exchange: 50, marker, how: 'complete', by: 'script', bytes: 1, events: 1, usage: 1 });
  table('siblings-untouched', { clients: ['bob'] }, [
    ['and was cut', tell({ extra: before(cut) }), 'violated', "bob's stream was cut: the system closed it at its upstream at 1.1 s"],
    ['and was served', tell({ extra: before(ended) }), 'held', 'reservation 8 of bob was held'],
  ]);
});

describe('a cut by a bound that counts from the last event', () => {
  const slow = (bounds: Facts['bounds']): Row[1] => tell({ bob: { everyMs: 900, terminalMs: 4_000, closedMs: 4_700 } }, { bounds });
  table('not-swept-while-live', { client: 'bob' }, [
    ['is due', slow({ read: 800 }), 'inconclusive', 'by a bound'],
    ['is far away', slow({ read: 8_000, progress: 8_000 }), 'violated', 'cut'],
  ]);
});

describe('a sibling that is asked for at two upstreams', () => {
  const marker = markerOf('bob');
  const other = (closedMs: number): readonly Entry[] => [
    at(1_500, 'upstream.model', { type: 'request-received', connection: 44, exchange: 44, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
    at(closedMs, 'upstream.model', { type: 'peer-closed', connection: 44, exchange: 44, marker, how: 'fin', bytes: 0, events: 0 }),
  ];
  table('siblings-untouched', { clients: ['bob'] }, [
    ['the one that was not needed was closed', tell({ extra: other(1_700) }), 'held', 'reservation 8 of bob was held'],
    ['both were closed', tell({ bob: { closedMs: 5_000 }, extra: other(1_700) }), 'violated', "bob's stream was cut: the system closed it at its upstream at 5.0 s"],
  ]);
});
