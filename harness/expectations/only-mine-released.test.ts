// Only what is affected is released: neither less than it, nor a sibling's, nor the whole account's.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD, wroteRows, wroteTotal } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { FACTS } from './fixtures/facts.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, timelineOf, without } from './fixtures/timeline.ts';
import type { LedgerValue } from '../model/samples.ts';
import { definition } from './only-mine-released.ts';

const ALICE = { client: 'alice' };
const SEEDED = { seeded: 'alice' };
const tell = (changes: Partial<Crowd> = {}, more: Partial<Row[1]> = {}): Row[1] => ({ entries: crowd(changes), facts: CROWD, ...more });
const reserved = (amount: number, fromMs: number) => (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  accounts: value.accounts.map((account) => (account.id === 'acc' && ms >= fromMs ? { ...account, reserved: amount } : account)),
});
const died = at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null });
const failed = at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' });
const bobLeft = { leftMs: 4_000, closedMs: 4_010, terminalMs: 4_020 };

describe("a client's exchange", () => {
  table('only-mine-released', ALICE, [
    ['its own was released, a sibling holds on', tell(), 'held', "alice's exchange was released: account acc has 100 reserved, 1 live row of others hold 100"],
    ['its row is gone', tell({ alice: { isDeleted: true } }), 'held', "alice's exchange was released"],
    ['it is still held', tell({ alice: { terminalMs: null } }), 'violated', "reservation 7 of alice's exchange was still active at the end of the watch"],
    ['it was released in the last moment', tell({ alice: { terminalMs: 7_960 } }), 'held', 'was released'],
    ['it was released when all had been watched', tell({ alice: { terminalMs: 7_961 } }), 'violated', 'still active'],
    ['its row ended, its part of the total did not', tell({ ledger: reserved(200, 3_000) }), 'violated', "not all of alice's exchange was released: account acc has 200 reserved"],
    ['the whole account was cleared', tell({ ledger: reserved(0, 3_000) }), 'violated', "more than alice's exchange was released: account acc has 0 reserved, 1 live row of others hold 100"],
    ['a little too much', tell({ ledger: reserved(99, 3_000) }), 'violated', 'more than'],
    ['a sibling that is live was released with it', tell({ bob: { terminalMs: 3_020 } }), 'violated', "with alice's exchange reservation 8 of bob was released at 3.1 s, whose stream was live until"],
    ["what happens on another account is another's", tell({ carol: { terminalMs: 3_020 } }), 'held', "alice's exchange was released"],
    ['a sibling that had ended by itself was released too', tell({ bob: { upstreamEndMs: 4_000, toldMs: 4_010, terminalMs: 4_020 } }), 'held', '0 live rows of others hold 0'],
    ['a sibling that left as well', tell({ bob: bobLeft }), 'held', 'acc has 0 reserved'],
    ['what leaked of another is not hers', tell({ bob: { ...bobLeft, terminalMs: null } }), 'held', 'acc has 100 reserved'],
    ['what was there before stays there', tell({ ledger: (value) => reserved(value.accounts[0]!.reserved + 30, 0)(value, 1) }), 'held', 'hold 100 and 30 from before'],
    ['what was there before was taken as well', tell({ ledger: (value, ms) => reserved(value.accounts[0]!.reserved + (ms < 3_000 ? 30 : 0), 0)(value, 1) }), 'violated', 'more than'],
    [
      'a payer apart from the key',
      tell({ alice: { payer: 'sponsor' } }),
      'held',
      'account sponsor has 0 reserved, 0 live rows of others hold 0',
    ],
    [
      "given back to the key's account instead of the payer's",
      tell({
        alice: { payer: 'sponsor' },
        ledger: (value, ms) => ({ ...value, accounts: value.accounts.map((one) => (one.id === 'sponsor' && ms > 3_000 ? { ...one, reserved: 100 } : one)) }),
      }),
      'violated',
      "not all of alice's exchange was released: account sponsor has 100 reserved",
    ],
    ['nothing was ever reserved for it', tell({ alice: { reservedMs: null } }), 'inconclusive', "no reservation of alice's exchange was ever seen active"],
    ['whose it is cannot be told', tell({ marked: false }), 'inconclusive', 'may belong to another exchange of the same account'],
    ['the ledger was read in parts', tell({ ledger: (value, ms) => ({ ...reserved(0, 3_000)(value, ms), consistent: false }) }), 'inconclusive', 'not read in one transaction'],
    ['the ledger was lost', tell({}, { entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs > 7_000) }), 'inconclusive', 'lost the ledger'],
    ['no baseline', tell({}, { entries: without(crowd(), (entry) => isSample('ledger')(entry) && entry.atMs < 1_100) }), 'inconclusive', 'no sample of the baseline'],
    ['a fault did not fire', tell({ extra: [failed] }), 'inconclusive', 'fault x did not fire'],
    ['the system died', tell({ extra: [died] }), 'inconclusive', 'router died'],
    ['the record breaks off', tell({}, { entries: without(crowd(), ({ atMs }) => atMs > 7_500) }), 'inconclusive', 'the record breaks off'],
    ['the system was starved while it should have swept', tell({ alice: { terminalMs: null }, runDelayMs: (ms) => (ms > 7_000 ? 600 : 0) }), 'inconclusive', 'the system waited 600 ms'],
    ['a third of a lease is not enough', tell({ alice: { terminalMs: null }, runDelayMs: (ms) => (ms > 7_000 ? 500 : 0) }), 'violated', 'still active'],
    ['starved before it released too much', tell({ bob: { terminalMs: 5_020 }, runDelayMs: (ms) => (ms > 4_000 ? 600 : 0) }), 'inconclusive', 'waited 600 ms'],
    ['starved long after it', tell({ bob: { terminalMs: 3_020 }, runDelayMs: (ms) => (ms > 7_000 ? 600 : 0) }), 'violated', 'reservation 8 of bob'],
    ['without a ledger', tell({}, { facts: { ...CROWD, ledger: null } }), 'does-not-apply', 'no ledger'],
    ['an aggregate only', tell({}, { facts: { ...CROWD, ledger: { hasReservations: false, hasCharges: true } } }), 'does-not-apply', 'only an aggregate'],
    [
      'served on after a half-close',
      tell({}, { facts: { ...CROWD, policy: { ...FACTS.policy, halfClose: 'serve' }, leaves: [{ mark: 'gone', client: 'alice', how: 'half-close' }] } }),
      'does-not-apply',
      'serves on',
    ],
  ]);
});

describe('what a fault added', () => {
  const row = (untilMs: number, more = {}) => ({ id: 'added-1', fromMs: 3_300, untilMs, leaseMs: -20_000, ...more });
  const total = (untilMs: number, fromMs = 3_300) => ({ fromMs, untilMs, amount: 40 });
  const wrote = (...extra: readonly ReturnType<typeof at>[]) => ({ extra });
  table('only-mine-released', SEEDED, [
    ['a row was swept', tell({ seeded: [row(4_000)], ...wrote(wroteRows(3_310, ['added-1'])) }), 'held', 'what a fault added to account acc was released'],
    ['a row is still there', tell({ seeded: [row(Infinity)], ...wrote(wroteRows(3_310, ['added-1'])) }), 'violated', 'reservation added-1 of what a fault added'],
    [
      'one with a lease in the future',
      tell({ seeded: [row(Infinity, { leaseMs: 3_600_000 })], ...wrote(wroteRows(3_310, ['added-1'])) }),
      'violated',
      'still active',
    ],
    ['a row was swept before anybody looked', tell(wrote(wroteRows(3_310, ['added-1']))), 'held', 'was released'],
    ['a total was cleared', tell({ totals: [total(5_000)], ...wrote(wroteTotal(3_310, 40)) }), 'held', 'was released'],
    ['a total was kept', tell({ totals: [total(Infinity)], ...wrote(wroteTotal(3_310, 40, null)) }), 'violated', 'not all of what a fault added to account acc was released: account acc has 140 reserved'],
    ['a total was cleared, and a sibling with it', tell({ totals: [total(5_000)], bob: { terminalMs: 5_000 }, ...wrote(wroteTotal(3_310, 40)) }), 'violated', 'reservation 8 of bob'],
    ['a total was cleared, and the whole account with it', tell({ totals: [total(5_000)], ledger: reserved(0, 5_000), ...wrote(wroteTotal(3_310, 40)) }), 'violated', 'more than what a fault added'],
    ['written before the start, and cleared', tell({ totals: [total(2_000, 0)], ...wrote(wroteTotal(50, 40)) }), 'held', 'was released'],
    ['written before the start, and kept', tell({ totals: [total(Infinity, 0)], ...wrote(wroteTotal(50, 40)) }), 'violated', 'acc has 140 reserved'],
    [
      'a poisoned row first, then one that can be released',
      tell({ seeded: [row(Infinity, { id: 'poison', isCounted: false }), row(4_000)], ...wrote(wroteRows(3_310, ['poison'], false), wroteRows(3_320, ['added-1'])) }),
      'held',
      'was released',
    ],
    [
      'a poisoned row first, and the other was never reached',
      tell({ seeded: [row(Infinity, { id: 'poison', isCounted: false }), row(Infinity)], ...wrote(wroteRows(3_310, ['poison'], false), wroteRows(3_320, ['added-1'])) }),
      'violated',
      'reservation added-1',
    ],
    ['a poisoned row only', tell(wrote(wroteRows(3_310, ['poison'], false))), 'inconclusive', 'no fault added anything to account acc that could be released'],
    ['nothing was added', tell(), 'inconclusive', 'no fault added anything'],
    ['a companion that leaks is another claim', tell({ alice: { terminalMs: null }, totals: [total(5_000)], ...wrote(wroteTotal(3_310, 40)) }), 'held', '2 live rows of others hold 200'],
  ]);
  test('another account is not asked about', () => {
    const options = { seeded: 'carol' };
    expect(verdictOf('only-mine-released', { ...tell(wrote(wroteTotal(3_310, 40))), options }).outcome).toBe('inconclusive');
  });
});

test('class, evidence, interval', () => {
  expect(verdictOf('only-mine-released', { ...tell({ ledger: reserved(0, 3_000) }), options: ALICE })).toMatchObject({
    class: 'aggregate and rows drifted apart',
    interval: { fromMs: 6_000, toMs: 7_960 },
    evidence: ['probe.ledger#8', 'probe.ledger#6', 'probe.ledger#76'],
  });
});

test('what is left without a row is called so', () => {
  const classOf = (changes: Partial<Crowd>) => verdictOf('only-mine-released', { ...tell({ ledger: reserved(150, 3_000), ...changes }), options: ALICE }).class;
  expect(classOf({ bob: { account: null } })).toBe('aggregate without a row');
  expect(classOf({})).toBe('aggregate and rows drifted apart');
});

test('settling waits until it is released, and no longer', () => {
  const pendingAt = (ms: number) =>
    definition.pending!({ timeline: timelineOf(...without(crowd({ alice: { terminalMs: 5_000 } }), ({ atMs }) => atMs > ms)), facts: { ...FACTS, ...CROWD }, options: ALICE });
  expect(pendingAt(4_900)).toContain('still active');
  expect(pendingAt(5_100)).toBeNull();
});
