// What looks like the doing of the system, or to its credit, and had another cause: a refund, a bound that was just due,
// a kill, a sweep that had no processor, a request that somebody else made.
import { describe } from 'vitest';
import { crowd, CROWD, LEFT, markerOf, wroteRows, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { MARKER, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, without } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';
import type { ObservationOf } from '../model/observation.ts';

const tell = (changes: Partial<Crowd> = {}, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const told = (changes: Partial<Knobs>, facts: Partial<Facts> = {}): Row[1] => ({ entries: story({ runDelayMs: () => 0, ...changes }), facts });
const killed = (atMs: number): readonly Entry[] => [
  at(atMs, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGKILL', purpose: 'fault' }),
  at(atMs + 5, 'system', { type: 'process-exited', process: 'router', code: null, signal: 'SIGKILL' }),
];

describe('what a refund paid out', () => {
  const paid = (atMs: number, verdict: ObservationOf<'refund'>['verdict'], account = 'acc', status: number | null = 200): Entry =>
    at(atMs, 'harness', { type: 'refund', account, attempt: 1, status, answer: '', verdict });
  /** A card without charges, whose total of spent grows by the refund too. */
  const growing = (...extra: readonly Entry[]): Row[1] =>
    told(
      { extra, ledger: ({ charges: _, ...value }, ms) => ({ ...value, accounts: value.accounts.map((one) => (ms < 5_000 ? one : { ...one, spent: one.spent + 81 })) }) },
      { ledger: { hasReservations: true, hasCharges: false } },
    );
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['may be taken for a charge', growing(paid(4_990, 'accepted')), 'inconclusive', "a charge of alice's account may be what a refund paid out"],
    ['by whatever answer', growing(paid(4_990, 'unexpected')), 'inconclusive', 'what a refund paid out'],
    ['not by one that was refused', growing(paid(4_990, 'refused')), 'violated', 'was charged 2 times'],
    ['not by one that nobody answered', growing(paid(4_990, 'unexpected', 'acc', null)), 'violated', 'was charged 2 times'],
    ['not to another account', growing(paid(4_990, 'accepted', 'other')), 'violated', 'was charged 2 times'],
    ['not before the baseline', growing(paid(500, 'accepted')), 'violated', 'was charged 2 times'],
    ['where charges bear markers it is none', told({ extra: [paid(4_990, 'accepted')] }), 'held', '19 charged'],
  ]);
});

describe('a client that waited long before', () => {
  /** What bob got: nothing from one time to another, and nothing after. */
  const stalled = (fromMs: number, toMs: number, lastMs: number): Row[1] => ({
    ...tell(),
    entries: without(crowd(), ({ atMs, fact }) => fact.type === 'received' && fact.marker === markerOf('bob') && ((atMs > fromMs && atMs < toMs) || atMs > lastMs)),
  });
  const inHeaps = without(crowd(), ({ atMs, fact }) => fact.type === 'received' && fact.marker === markerOf('bob') && atMs % 1_000 > 100);
  table('siblings-untouched', { clients: ['bob'] }, [
    ['once, and now as long again', stalled(3_000, 5_000, 6_500), 'inconclusive', 'it had waited 2.1 s before, once'],
    ['once, and now far longer', stalled(3_000, 3_500, 6_500), 'violated', 'bob receives nothing more'],
    ['whenever anything came, since the system sends in heaps', { ...tell(), entries: inHeaps }, 'held', 'reservation 8 of bob was held'],
  ]);
});

describe('totals and rows from before the baseline', () => {
  const alone: Partial<Crowd> = { bob: { account: null } };
  const drifted: Crowd['ledger'] = (value) => ({ ...value, accounts: value.accounts.map((one) => (one.id === 'acc' ? { ...one, reserved: one.reserved + 100 } : one)) });
  const both: Partial<Crowd> = { totals: [{ fromMs: 0, untilMs: Infinity, amount: 40 }, { fromMs: 700, untilMs: 800, amount: 40 }], extra: [wroteTotal(690, 40, WALL_MS + 6_960)] };
  table('reserved-kept', { client: 'alice' }, [['cleared before the baseline, beside one that was there before', tell({ ...alone, ...both }), 'violated', '40 reserved beside its live rows, 80 is right']]);
  table('only-mine-released', { seeded: 'alice' }, [
    ['cleared before the baseline, beside one that was there before', tell({ ...alone, ...both }), 'held', '0 live rows of others hold 0 and 40 from before'],
    [
      'a row that ended before the baseline, and its part of the total did not',
      tell({ ...alone, seeded: [{ id: 'added-1', fromMs: 0, untilMs: 500, leaseMs: -20_000 }], ledger: drifted, extra: [wroteRows(50, ['added-1'])] }),
      'violated',
      'not all of what a fault added to account acc was released',
    ],
  ]);
  const torn: Partial<Crowd> = { ...alone, totals: [{ fromMs: 0, untilMs: Infinity, amount: 40 }], ledger: (value) => ({ ...value, consistent: false }) };
  const unknown = 'what account acc had reserved without a row at the baseline is not known';
  table('only-mine-released', { client: 'alice' }, [
    ['read in parts', tell(torn), 'inconclusive', unknown],
    ['read in parts, and nothing was left over', tell({ ...torn, totals: [] }), 'held', 'was released'],
  ]);
  table('nothing-reserved', { client: 'alice' }, [
    ['read in parts', tell(torn), 'inconclusive', unknown],
    ['of a card that has no rows', tell(torn, { ledger: { hasReservations: false, hasCharges: true } }), 'held', '40 reserved, as before'],
  ]);
  table('reserved-kept', { client: 'alice' }, [['read in parts', tell({ ...torn, extra: [wroteTotal(3_310, 40, WALL_MS + 6_960)] }), 'inconclusive', unknown]]);
});

describe('requests of others, and later ones', () => {
  const later = { reservedMs: null } as const;
  const asked = (client: string, atMs: number): readonly Entry[] => [
    at(atMs, 'harness', { type: 'exchange-planned', marker: `late.${client}`, client, account: 'acc', upstream: 'model', request: 'chat', purpose: 'drive' }),
    at(atMs + 1, `client.${client}`, { type: 'request-written', connection: 9, marker: `late.${client}`, bytes: 1 }),
    at(atMs + 5, 'upstream.model', { type: 'request-received', connection: 90, exchange: 90, marker: `late.${client}`, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
  ];
  const again = (marker: string): Entry => at(5_000, 'upstream.model', { type: 'request-received', connection: 91, exchange: 91, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' });
  table('request-count', { upstream: 'model', 'at-most': 0, after: 'gone' }, [
    ['of another, after the leave', tell({ carol: later, extra: asked('carol', 4_500) }), 'held', "alice's request came 0 times"],
    ['her own next one', tell({ extra: asked('alice', 4_500) }), 'held', "alice's request came 0 times"],
    ['hers again', tell({ extra: [again(markerOf('alice'))] }), 'violated', "alice's request came 1 time"],
    ["another's again, of whom it is asked", { ...tell({ extra: [again(markerOf('bob'))] }), options: { client: 'bob' } }, 'violated', "bob's request came 1 time"],
    ["another's again, which is none of her leave", tell({ extra: [again(markerOf('bob'))] }), 'held', "alice's request came 0 times"],
    ["another's that left as well", tell({ bob: LEFT, extra: [again(markerOf('bob'))] }, { leaves: [...CROWD.leaves, { mark: 'gone', client: 'bob', how: 'fin' }] }), 'violated', "bob's request came 1 time"],
  ]);
});

describe('a refund when a bound is just due', () => {
  const refunds: Crowd['refunds'] = [{ atMs: 8_105, verdict: 'accepted' }];
  const due = (bound: keyof Facts['bounds'], ms: number): Row[1] => tell({ refunds }, { bounds: { [bound]: ms } });
  table('refund-refused', { client: 'bob' }, [
    ['of a lifetime', due('lifetime', 7_000), 'inconclusive', 'was just due'],
    ['of an age, as late as may be', due('age', 6_505), 'inconclusive', 'was just due'],
    ['of an age that was over', due('age', 6_504), 'violated', 'while bob was being served'],
    ['of an age that is not yet over', due('age', 7_506), 'violated', 'while bob was being served'],
    ['that was refused', tell({ refunds: [{ atMs: 8_105, verdict: 'refused' }] }, { bounds: { lifetime: 7_000 } }), 'held', 'was refused'],
    ['of what its upstream does not say', due('read', 500), 'inconclusive', 'was just due'],
    ['of a silence that it never kept', due('progress', 2_000), 'violated', 'while bob was being served'],
  ]);
});

describe('sweeps that could not come', () => {
  const asked: Partial<Crowd> = {
    refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }],
    extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })],
  };
  table('terminal-once', { client: 'alice' }, [
    ['by who had no processor', tell({ ...asked, runDelayMs: (ms) => (ms > 9_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['by who had none long before', tell({ ...asked, runDelayMs: (ms) => (ms > 6_000 ? 600 : 0) }), 'held', 'two sweeps'],
    ['by who was not seen', { ...tell(), entries: without(crowd(asked), ({ atMs, fact }) => atMs > 9_000 && fact.type === 'sample' && fact.probe === 'process') }, 'inconclusive', 'probe process too slow'],
    ['of a card that has no leases', tell({ ...asked, runDelayMs: (ms) => (ms > 9_000 ? 600 : 0) }, { periods: { sweepMs: 1_000 } }), 'held', 'two sweeps'],
  ]);
});

describe('a bound that was met by being killed', () => {
  const elsewhere: readonly Entry[] = [
    at(1_112, 'upstream.other', { type: 'request-received', connection: 8, exchange: 8, marker: MARKER, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'endless' }),
    at(3_910, 'upstream.other', { type: 'peer-closed', connection: 8, exchange: 8, marker: MARKER, how: 'fin', bytes: 0, events: 0 }),
  ];
  const stays: Partial<Knobs> = { goneMs: null, closedMs: 3_905, ownsUntilMs: 3_905, servesUntilMs: 3_905, toldMs: 3_906, terminalMs: 3_910 };
  table('bounded-wait', { client: 'alice', bound: 'lifetime' }, [
    ['by itself', told(stays), 'held', 'alice was told'],
    ['killed before', told({ ...stays, extra: killed(3_900) }), 'inconclusive', 'router had got SIGKILL 6 ms before the last of it was over: not because of the lifetime bound'],
    ['killed when only a client that does not read was left', told({ ...stays, closedMs: 3_800, ownsUntilMs: 3_800, servesUntilMs: 3_950, toldMs: null, extra: [...killed(3_900), at(3_700, 'client.alice', { type: 'paused', marker: MARKER, unreadBytes: 0 })] }), 'inconclusive', 'router had got SIGKILL 20 ms before'],
    ['killed when one that reads had been told', told({ ...stays, closedMs: 3_800, ownsUntilMs: 3_800, servesUntilMs: 3_950, toldMs: 3_810, extra: killed(3_900) }), 'held', 'alice was told'],
    ['killed when only what is not asked about was left', { ...told({ ...stays, closedMs: 3_800, ownsUntilMs: 3_800, toldMs: 3_810, extra: [...killed(3_900), ...elsewhere] }), options: { upstream: 'model' } }, 'held', 'alice was told'],
    ['killed when all was over', told({ ...stays, extra: killed(4_000) }), 'held', 'alice was told'],
    ['killed and started long before', told({ ...stays, extra: [...killed(600), at(700, 'harness', { type: 'system-started', process: 'router', pid: 901 })] }), 'held', 'alice was told'],
    ['told to stop before', told({ ...stays, extra: [at(3_900, 'harness', { type: 'signal-sent', process: 'router', signal: 'SIGTERM', purpose: 'stop' })] }), 'inconclusive', 'router had got SIGTERM'],
    ['of another instance', told({ ...stays, extra: killed(3_900).map((entry) => ({ ...entry, fact: { ...entry.fact, process: 'router.2' } as Entry['fact'] })) }), 'held', 'alice was told'],
  ]);
  const settles: Partial<Knobs> = { closedMs: 3_905, ownsUntilMs: 3_905, terminalMs: 3_910 };
  table('bounded-wait', { client: 'alice', bound: 'settle' }, [
    ['after a leave', told({ ...settles, extra: killed(3_900) }), 'inconclusive', 'router had got SIGKILL'],
    ['by an upstream that had ended by itself, while somebody lagged', told({ closedMs: null, ownsUntilMs: null, eventsUntilMs: 2_800, upstreamEnd: { atMs: 2_900, how: 'complete', by: 'script', usage: 17 }, extra: [at(3_100, 'lag.clients', { type: 'scheduling-lag', process: 'clients', lagMs: 260 })] }), 'inconclusive', 'clients lagged 260 ms'],
  ]);
});
