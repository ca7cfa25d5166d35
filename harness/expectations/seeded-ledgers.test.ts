// What faults wrote into the ledger is nobody's doing: it is no part of the baseline, and a poisoned row or a
// total without one is not held against a system that leaves it as it may.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD, wroteRows, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import type { LedgerValue } from '../model/samples.ts';

const row = (fromMs: number, untilMs: number, more = {}) => ({ id: 'added-1', fromMs, untilMs, leaseMs: -20_000, ...more });
const total = (fromMs: number, untilMs: number, amount = 40) => ({ fromMs, untilMs, amount });
const alone: Partial<Crowd> = { bob: { account: null } };
const tell = (changes: Partial<Crowd> = {}): Row[1] => ({ entries: crowd({ ...alone, ...changes }), facts: CROWD });
const reserved = (amount: number) => (value: LedgerValue, ms: number): LedgerValue =>
  ms < 5_000 ? value : { ...value, accounts: value.accounts.map((one) => (one.id === 'acc' ? { ...one, balance: one.balance + one.reserved - amount, reserved: amount } : one)) };

describe('nothing-reserved', () => {
  table('nothing-reserved', { client: 'alice' }, [
    ['a row written before the start, and swept', tell({ seeded: [row(0, 2_000)], extra: [wroteRows(50, ['added-1'])] }), 'held', 'account acc has 0 reserved'],
    ['a row written before the start, and never swept', tell({ seeded: [row(0, Infinity)], extra: [wroteRows(50, ['added-1'])] }), 'violated', 'account acc has 100 reserved'],
    ['a total written before the start, and cleared', tell({ totals: [total(0, 2_000)], extra: [wroteTotal(50, 40)] }), 'held', 'account acc has 0 reserved'],
    ['a total written before the start, and kept', tell({ totals: [total(0, Infinity)], extra: [wroteTotal(50, 40)] }), 'violated', 'account acc has 40 reserved'],
    ['a total that was there by itself', tell({ totals: [total(0, Infinity)] }), 'held', 'account acc has 40 reserved, as before'],
    ['one total that was there by itself, and one written before the start and cleared', tell({ totals: [total(0, Infinity), total(0, 2_000)], extra: [wroteTotal(50, 40)] }), 'held', '40 reserved'],
    ['a total written before the start, and cleared before the baseline', tell({ totals: [total(0, 500)], extra: [wroteTotal(50, 40)] }), 'held', 'account acc has 0 reserved, as before'],
    ['a total written later, and cleared', tell({ totals: [total(3_300, 5_000)], extra: [wroteTotal(3_310, 40)] }), 'held', '0 reserved'],
    ['a total written later, and kept', tell({ totals: [total(3_300, Infinity)], extra: [wroteTotal(3_310, 40)] }), 'violated', '40 reserved'],
    ['two totals, and one of them kept', tell({ totals: [total(0, Infinity), total(0, 2_000)], extra: [wroteTotal(50, 40), wroteTotal(60, 40)] }), 'violated', '40 reserved'],
    ['nothing else ever reserved, but a total cleared at once', tell({ alice: { reservedMs: null }, extra: [wroteTotal(3_310, 40)] }), 'held', '0 reserved'],
    ['a row written before the start that was never seen', tell({ extra: [wroteRows(50, ['added-1'])] }), 'inconclusive', 'reservation added-1, which a fault wrote, was never seen'],
    ['a poisoned row that nobody can release', tell({ seeded: [row(0, Infinity, { isCounted: false })], extra: [wroteRows(50, ['added-1'], false)] }), 'held', '0 reserved'],
  ]);
});

describe('accounting-valid', () => {
  table('accounting-valid', {}, [
    ['a total kept adds up', tell({ totals: [total(3_300, Infinity)], extra: [wroteTotal(3_310, 40)] }), 'held', 'add up'],
    ['a total cleared adds up', tell({ totals: [total(3_300, 5_000)], extra: [wroteTotal(3_310, 40)] }), 'held', 'add up'],
    ['half of it does not', tell({ totals: [total(3_300, Infinity)], ledger: reserved(20), extra: [wroteTotal(3_310, 40)] }), 'violated', 'it has 20 reserved'],
    ['more than it does not', tell({ totals: [total(3_300, Infinity)], ledger: reserved(41), extra: [wroteTotal(3_310, 40)] }), 'violated', 'it has 41 reserved'],
    ['one of two adds up', tell({ totals: [total(3_300, Infinity, 70)], extra: [wroteTotal(3_310, 40), wroteTotal(3_320, 70)] }), 'held', 'add up'],
    ['nobody wrote it', tell({ totals: [total(3_300, Infinity)] }), 'violated', 'it has 40 reserved, its live reservations add up to 0'],
    ['a poisoned row stays as it is', tell({ seeded: [row(3_300, Infinity, { isCounted: false })], extra: [wroteRows(3_310, ['added-1'], false)] }), 'held', 'add up'],
    ['a whole row must be part of the total', tell({ seeded: [row(3_300, Infinity, { isCounted: false })], extra: [wroteRows(3_310, ['added-1'])] }), 'violated', 'its live reservations add up to 100'],
    [
      'what was there before the corruption must be there after it',
      tell({ totals: [total(3_300, 5_000)], extra: [wroteTotal(3_310, 40)], ledger: (value, ms) => (ms < 5_000 ? value : { ...value, accounts: value.accounts.map((one) => ({ ...one, balance: one.balance + 40 })) }) }),
      'violated',
      'balance, reserved and spent add up to 10040, at the baseline to 10000',
    ],
    [
      'in between it is not the doing of the system',
      tell({ totals: [total(3_300, 5_000)], extra: [wroteTotal(3_310, 40)], ledger: (value, ms) => (ms < 3_300 || ms > 4_000 ? value : { ...value, accounts: value.accounts.map((one) => (one.id === 'acc' ? { ...one, balance: 1 } : one)) }) }),
      'held',
      'add up',
    ],
  ]);
});

describe('renewal-stopped', () => {
  test('a row that a fault wrote is not hers, however its lease moves', () => {
    const entries = crowd({ ...alone, seeded: [row(3_300, Infinity)], extra: [wroteRows(3_310, ['added-1'])], ledger: (value, ms) => ({
      ...value,
      reservations: value.reservations.map((each) => (each.id === 'added-1' ? { ...each, leaseAtMs: value.wallMs + ms } : each)),
    }) });
    expect(verdictOf('renewal-stopped', { entries, facts: CROWD, options: { client: 'alice', after: 'gone' } }).outcome).toBe('held');
  });
  test("a live sibling's renewals are its own", () => {
    expect(verdictOf('renewal-stopped', { entries: crowd(), facts: CROWD, options: { client: 'alice', after: 'gone' } }).outcome).toBe('held');
    expect(verdictOf('billing-terminal', { entries: crowd(), facts: CROWD, options: { client: 'alice', after: 'gone', within: 2_000 } }).outcome).toBe('held');
  });
});
