// A ledger that a fault took away for a while: what had to be written into it is put off by as long, and nobody is
// accused of what could not be done, nor cleared by it.
import { describe } from 'vitest';
import { crowd, CROWD, wroteRows, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

const LOCK = 'ledger-lock';
const kept = (fromMs: number, toMs: number | null, fault = LOCK): readonly Entry[] => [
  at(fromMs, 'probe.ledger', { type: 'fault-held', fault, edge: 'begin' }),
  ...(toMs === null ? [] : [at(toMs, 'probe.ledger', { type: 'fault-held', fault, edge: 'end' })]),
];
const tell = (changes: Partial<Knobs>, extra: readonly Entry[] = []): Row[1] => ({ entries: story({ runDelayMs: () => 0, ...changes, extra }) });
const many = (changes: Partial<Crowd>, extra: readonly Entry[] = []): Row[1] => ({ entries: crowd({ ...changes, extra: [...(changes.extra ?? []), ...extra] }), facts: CROWD });

/** Due, with the margin, at 3.75 s. */
describe('settled late', () => {
  const late: Partial<Knobs> = { terminalMs: 4_200, charges: [{ atMs: 4_200, amount: 19 }] };
  table('billing-terminal', { client: 'alice', after: 'gone', within: 500 }, [
    ['with its ledger there', tell(late), 'violated', 'was still active'],
    ['with its ledger away for as long', tell(late, kept(3_010, 3_460)), 'inconclusive', 'but a fault had kept the system from its ledger'],
    ['with its ledger away for less', tell(late, kept(3_010, 3_300)), 'violated', 'was still active'],
    ['with its ledger away since before the leave, of which only what came after it counts', tell(late, kept(2_000, 3_300)), 'violated', 'was still active'],
    ['with its ledger away until before the leave', tell(late, kept(2_000, 2_990)), 'violated', 'was still active'],
    ['with its ledger away when it was late already', tell(late, kept(3_800, null)), 'violated', 'was still active'],
    ['with its ledger away to the end', tell(late, kept(3_010, null, 'ledger-unavailable')), 'inconclusive', 'kept the system from its ledger'],
    ['with something else away', tell(late, kept(3_010, null, 'partition')), 'violated', 'was still active'],
    ['in time all the same', tell({}, kept(3_010, 3_460)), 'held', 'was charged'],
  ]);
  table('bounded-wait', { client: 'alice', bound: 'settle' }, [
    ['with its ledger there', tell({ ...late, terminalMs: 4_600 }), 'violated', 'was still active'],
    ['with its ledger away for as long', tell({ ...late, terminalMs: 4_600 }, kept(3_010, 3_460)), 'inconclusive', 'but a fault had kept the system from its ledger'],
    ['its upstream left open, which needs no ledger', tell({ ...late, closedMs: 5_000, ownsUntilMs: 5_000 }, kept(3_010, 3_990)), 'violated', 'was still open'],
  ]);
});

describe('not settled at all, with its ledger away to the end', () => {
  const never: Partial<Knobs> = { terminalMs: null, charges: [] };
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['never', tell(never), 'violated', 'its reservation is still held'],
    ['away', tell(never, kept(3_010, null)), 'inconclusive', 'a fault kept the system from its ledger from 3.0 s to the end'],
    ['there again', tell(never, kept(3_010, 7_000)), 'violated', 'its reservation is still held'],
    ['away only later', tell(never, kept(7_990, null)), 'violated', 'its reservation is still held'],
  ]);
  table('nothing-reserved', { client: 'alice' }, [
    ['away', tell(never, kept(3_010, null)), 'inconclusive', 'a fault kept the system from its ledger'],
    ['there again', tell(never, kept(3_010, 7_000)), 'violated', 'has 100 reserved'],
  ]);
  table('only-mine-released', { client: 'alice' }, [
    ['away', many({ alice: { terminalMs: null } }, kept(3_010, null)), 'inconclusive', 'a fault kept the system from its ledger'],
    ['there again', many({ alice: { terminalMs: null } }, kept(3_010, 7_000)), 'violated', 'still active'],
  ]);
  table('renewal-stopped', { client: 'alice', after: 'gone' }, [
    ['no lease can move', tell({}, kept(3_010, null)), 'inconclusive', 'a fault kept the system from its ledger'],
    ['it could have moved', tell({}, kept(3_010, 5_000)), 'held', 'no lease of'],
  ]);
});

describe('others meanwhile', () => {
  const stands = { lease: (ms: number): number => (ms < 3_000 ? ms : 3_000) };
  table('siblings-untouched', { clients: ['bob'] }, [
    ['not renewed', many({ bob: stands }), 'violated', 'did not move for'],
    ['that could not be renewed', many({ bob: stands }, kept(3_000, 6_000)), 'inconclusive', 'a fault kept the system from its ledger from 3.0 s on, for more than a third of a lease'],
    ['that could not for a moment', many({ bob: stands }, kept(3_000, 3_500)), 'violated', 'did not move for'],
    ['that could not long before', many({ bob: { ...stands, lease: (ms) => (ms < 6_000 ? ms : 6_000) } }, kept(2_000, 3_000)), 'violated', 'did not move for'],
    ['cut, which needs no ledger', many({ bob: { closedMs: 5_000 } }, kept(3_000, 6_000)), 'violated', 'was cut'],
  ]);
  const swept: Partial<Crowd> = { bob: { terminalMs: 5_000 } };
  table('not-swept-while-live', { client: 'bob' }, [
    ['swept', many(swept), 'violated', 'reservation 8 was released'],
    ['swept when it could not have been renewed', many(swept, kept(3_500, 4_900)), 'inconclusive', 'a fault kept the system from its ledger'],
    ['not swept by who could not', many({}, kept(3_500, null)), 'inconclusive', 'a fault kept the system from its ledger'],
  ]);
  table('only-mine-released', { client: 'alice' }, [
    ['swept when it could not have been renewed', many(swept, kept(3_500, 4_900)), 'inconclusive', 'a fault kept the system from its ledger'],
  ]);
  table('only-mine-released', { seeded: 'alice' }, [
    ['what a fault added, by who could not release it', many({ seeded: [{ id: 'added-1', fromMs: 3_300, untilMs: Infinity, leaseMs: -20_000 }], extra: [wroteRows(3_310, ['added-1'])] }, kept(3_500, null)), 'inconclusive', 'a fault kept the system from its ledger'],
  ]);
  table('terminal-once', { client: 'alice' }, [
    ['by who could not touch it', many({ refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }], extra: [at(8_300, 'harness', { type: 'let-finish', marker: null, count: 0 })] }, kept(8_400, null)), 'inconclusive', 'kept the system from its ledger'],
  ]);
  const asked: Partial<Crowd> = { refunds: [{ atMs: 8_105, verdict: 'accepted' }] };
  table('refund-refused', { client: 'bob' }, [
    ['paid back', many(asked), 'violated', 'was accepted'],
    ['paid back when it could not have been renewed', many(asked, kept(6_500, 7_500)), 'inconclusive', 'a fault kept the system from its ledger'],
  ]);
  table('reserved-kept', { client: 'alice' }, [
    ['by who could not touch it', many({ totals: [{ fromMs: 3_300, untilMs: Infinity, amount: 40 }], extra: [wroteTotal(3_310, 40, WALL_MS + 6_960)] }, kept(3_400, null)), 'inconclusive', 'kept the system from its ledger'],
  ]);
});
