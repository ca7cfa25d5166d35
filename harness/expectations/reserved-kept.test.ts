// A recent total without a row may still be somebody's: it is left alone.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { WALL_MS } from './fixtures/knobs.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const ALICE = { client: 'alice' };
/** Written at 3.3 s; at the end of the watch (7.96 s) it is exactly one lease old. */
const RECENT = WALL_MS + 7_960 - 1_500;
const kept = (untilMs = Infinity, amount = 40): Partial<Crowd> => ({ totals: [{ fromMs: 3_300, untilMs, amount }], extra: [wroteTotal(3_310, 40, RECENT)] });
const tell = (changes: Partial<Crowd>, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });
const wrote = (reservedAtMs: number | null, atMs = 3_310, untilMs = Infinity): Partial<Crowd> => ({ ...kept(untilMs), extra: [wroteTotal(atMs, 40, reservedAtMs)] });

describe('reserved-kept', () => {
  table('reserved-kept', ALICE, [
    ['kept', tell(kept()), 'held', 'account acc has 40 reserved beside its live rows, as the fault wrote it'],
    ['cleared', tell(kept(5_000)), 'violated', 'account acc has 0 reserved beside its live rows, 40 is right'],
    ['cleared in the last sample', tell(kept(7_960)), 'violated', '0 reserved beside its live rows'],
    ['cleared when all had been watched', tell(kept(7_961)), 'held', '40 reserved'],
    ['more than it was', tell(kept(Infinity, 41)), 'violated', '41 reserved beside its live rows, 40 is right'],
    ['a little less', tell(kept(Infinity, 39.5)), 'violated', '39.5 reserved'],
    ['cleared before anybody had looked', tell({ extra: [wroteTotal(3_310, 40, RECENT)] }), 'violated', '0 reserved beside'],
    ['exactly a lease old is recent', tell(wrote(RECENT)), 'held', '40 reserved'],
    ['older is not', tell(wrote(RECENT - 1)), 'inconclusive', 'was 1.5 s old by then, more than a lease of 1.5 s'],
    ['cleared while it was recent, old at the end', tell(wrote(WALL_MS + 3_300, 3_310, 4_500)), 'violated', '0 reserved'],
    ['cleared when it had become old', tell(wrote(WALL_MS + 3_300, 3_310, 5_000)), 'inconclusive', 'old by then'],
    ['without a timestamp', tell(wrote(null)), 'inconclusive', 'has no timestamp: nobody can call it recent'],
    ['an instance whose clock is ahead finds it old', tell(kept(), { system: { listen: '', address: '', main: 'router', instances: [{ process: 'router', address: '', listen: '', clockAheadMs: 1 }] } }), 'inconclusive', 'old by then'],
    ['nobody came by: less than a sweep and the margin', tell(wrote(RECENT, 6_750)), 'inconclusive', 'the watch ended 1.3 s after the total was written, a sweep takes 1.0 s: nobody came by'],
    ['a sweep came by', tell(wrote(RECENT, 6_749)), 'held', '40 reserved'],
    ['a refund came by', tell({ ...wrote(RECENT, 6_750), refunds: [{ atMs: 7_000, verdict: 'refused' }] }), 'held', '40 reserved'],
    ['a refund of another did not', tell({ ...wrote(RECENT, 6_750), refunds: [{ atMs: 7_000, verdict: 'refused', account: 'other' }] }), 'inconclusive', 'nobody came by'],
    ['a refund came by before', tell({ ...wrote(RECENT, 6_750), refunds: [{ atMs: 6_752, verdict: 'refused' }] }), 'inconclusive', 'nobody came by'],
    ['a card without sweeps needs a refund', tell(kept(), { periods: { renewalMs: 500, leaseMs: 1_500 } }), 'inconclusive', 'no refund was asked'],
    ['nothing was written', tell({}), 'inconclusive', 'no fault wrote a total to account acc'],
    ['read in parts', tell({ ...kept(5_000), ledger: (value) => ({ ...value, consistent: false }) }), 'inconclusive', 'not read in one transaction'],
    ['the ledger was lost', { ...tell({}), entries: without(crowd(kept()), (entry) => isSample('ledger')(entry) && entry.atMs > 7_000) }, 'inconclusive', 'lost the ledger'],
    ['a sweeper that was starved clears nobody', tell({ ...kept(), runDelayMs: (ms) => (ms > 7_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['a fault did not fire', tell({ ...kept(5_000), extra: [wroteTotal(3_310, 40, RECENT), at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }), 'inconclusive', 'fault x'],
    ['the system died', tell({ ...kept(5_000), extra: [wroteTotal(3_310, 40, RECENT), at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'inconclusive', 'router died'],
    ['the record breaks off', { ...tell({}), entries: without(crowd(kept()), ({ atMs }) => atMs > 7_900) }, 'inconclusive', 'the record breaks off'],
    ['an aggregate only', tell(kept(), { ledger: { hasReservations: false, hasCharges: true } }), 'does-not-apply', 'only an aggregate'],
    ['no lease', tell(kept(), { periods: {} }), 'does-not-apply', 'no period of lease'],
  ]);
  test('what was there before the scenario is no part of it', () => {
    const found = verdictOf('reserved-kept', { ...tell({ ...kept(5_000), totals: [{ fromMs: 0, untilMs: Infinity, amount: 40 }, { fromMs: 3_300, untilMs: 5_000, amount: 40 }] }), options: ALICE });
    expect(`${found.outcome}: ${found.reason}`).toContain('violated: account acc has 40 reserved beside its live rows, 80 is right');
  });
  test('class, evidence, interval', () => {
    expect(verdictOf('reserved-kept', { ...tell(kept(5_000)), options: ALICE })).toMatchObject({
      class: 'aggregate and rows drifted apart',
      evidence: ['harness#18', 'probe.ledger#76'],
      interval: { fromMs: 5_060, toMs: 7_960 },
    });
  });
});
