// What is over stays as it ended, whatever comes late.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD, END_OF_ASK_MS } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { LedgerValue, Reservation } from '../model/samples.ts';

const ALICE = { client: 'alice' };
const finished = (atMs: number, marker: string | null = null) => at(atMs, 'harness', { type: 'let-finish', marker, count: 0 });
const ASKED: Partial<Crowd> = {
  refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused' }],
  extra: [finished(8_300)],
  charges: [{ atMs: 3_020, amount: 19, client: 'alice' }],
};
const tell = (changes: Partial<Crowd> = {}): Row[1] => ({ entries: crowd({ ...ASKED, ...changes }), facts: CROWD });
/** Changes alice's row from that time on. */
const from = (fromMs: number, change: Partial<Reservation>, untilMs = Infinity) => (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  reservations: value.reservations.map((row) => (row.id === '7' && ms >= fromMs && ms < untilMs ? { ...row, ...change } : row)),
});
const gone = (fromMs: number, untilMs = Infinity) => (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  reservations: value.reservations.filter(({ id }) => id !== '7' || ms < fromMs || ms >= untilMs),
});
const inParts = (value: LedgerValue): LedgerValue => ({ ...value, consistent: false });
/** Another row of alice's exchange, over at 5 s. */
const second = (value: LedgerValue, ms: number): LedgerValue => ({
  ...value,
  reservations: value.reservations.flatMap((row) => (row.id === '7' && ms >= 3_100 ? [row, { ...row, id: '7b', state: ms < 5_000 ? 'active' : 'released', terminal: ms >= 5_000 }] : [row])),
});
const late = { atMs: 8_400, amount: 4, client: 'alice' };

describe('terminal-once', () => {
  table('terminal-once', ALICE, [
    ['nothing changes', tell(), 'held', 'reservation 7 stayed released, 100 for 7.9 s, through two refunds, a late finish and two sweeps'],
    ['the state changes', tell({ ledger: from(8_150, { state: 'charged' }) }), 'violated', 'reservation 7 was released, 100, and charged, 100 5.1 s later'],
    ['it is live again', tell({ ledger: from(8_150, { state: 'active', terminal: false }) }), 'violated', 'and active, 100'],
    ['it is live again for one sample', tell({ ledger: from(8_150, { state: 'active', terminal: false }, 8_170) }), 'violated', 'and active, 100'],
    ['before anybody asked', tell({ ledger: from(3_200, { state: 'charged' }) }), 'violated', 'charged, 100 200 ms later'],
    ['the amount changes', tell({ ledger: from(9_000, { amount: 99 }) }), 'violated', 'and released, 99'],
    ['the reason changes', tell({ ledger: from(9_000, { reason: 'lease-expired' }) }), 'violated', 'and released (lease-expired), 100'],
    ['a reason that was there from the beginning', tell({ ledger: from(0, { reason: 'left' }) }), 'held', 'stayed released (left), 100'],
    ['in the very last sample', tell({ ledger: from(10_960, { state: 'charged' }) }), 'violated', 'charged'],
    ['it is tidied away', tell({ ledger: gone(9_000) }), 'held', 'stayed released'],
    ['it was gone at once', tell({ alice: { isDeleted: true } }), 'held', 'reservation 7 stayed gone'],
    ['it was gone, and came back', tell({ ledger: gone(3_020, 9_000) }), 'violated', 'reservation 7 was gone, and released, 100'],
    ['it was tidied away and came back as it was', tell({ ledger: gone(9_000, 9_500) }), 'held', 'stayed released'],
    ['it was tidied away and came back otherwise', tell({ ledger: (value, ms) => from(9_500, { state: 'charged' })(gone(9_000, 9_500)(value, ms), ms) }), 'violated', 'and charged'],
    ['something more is charged', tell({ charges: [...ASKED.charges!, late] }), 'violated', '19 was charged when it was over, and 19 and 4 5.4 s later'],
    ['something is charged at last', tell({ charges: [late] }), 'violated', 'nothing was charged when it was over, and 4'],
    ["another's charge is none of hers", tell({ charges: [...ASKED.charges!, { ...late, client: 'bob' }] }), 'held', 'stayed released'],
    ['a charge without a marker may be anything', tell({ charges: [...ASKED.charges!], ledger: (value, ms) => (ms < 8_400 ? value : { ...value, charges: [...value.charges!, { id: 'x', account: 'acc', amount: 4 }] }) }), 'held', 'stayed released'],
    ['one refund only', tell({ refunds: [{ atMs: 8_100, verdict: 'accepted' }] }), 'inconclusive', '1 refund of account acc asked after it was over, 2 are needed'],
    ["another account's do not count", tell({ refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 8_200, verdict: 'refused', account: 'other' }] }), 'inconclusive', '1 refund of account acc'],
    ['one of them came before it was over', tell({ refunds: [{ atMs: 2_000, verdict: 'refused' }, { atMs: 8_100, verdict: 'accepted' }] }), 'inconclusive', '1 refund of account acc'],
    ['one of them was asked in the moment that it was over', tell({ refunds: [{ atMs: 3_065, verdict: 'refused' }, { atMs: 8_100, verdict: 'accepted' }] }), 'held', 'stayed'],
    ['one of them was asked just before', tell({ refunds: [{ atMs: 3_064, verdict: 'refused' }, { atMs: 8_100, verdict: 'accepted' }] }), 'inconclusive', '1 refund of account acc'],
    ['let finish in the moment that it was over', tell({ extra: [finished(3_060)] }), 'held', 'stayed'],
    ['let finish just before', tell({ extra: [finished(3_059)] }), 'inconclusive', 'its upstream was not let finish'],
    ['read in parts, its charge came one sample later', tell({ charges: [{ ...late, atMs: 3_100 }], ledger: inParts }), 'held', 'stayed'],
    ['read in parts, its charge came two samples later', tell({ charges: [{ ...late, atMs: 3_200 }], ledger: inParts }), 'violated', 'nothing was charged when it was over, and 4'],
    ['read in one go, its charge came one sample later', tell({ charges: [{ ...late, atMs: 3_100 }] }), 'violated', 'nothing was charged when it was over, and 4'],
    ['a second row of its was over later: what was tried before that does not count', tell({ ledger: second, refunds: [{ atMs: 4_000, verdict: 'refused' }, { atMs: 8_100, verdict: 'accepted' }] }), 'inconclusive', '1 refund of account acc'],
    ['a second row of its that never ends', tell({ ledger: (value, ms) => second(value, Math.min(ms, 4_000)) }), 'inconclusive', "a reservation of alice's exchange never came to a terminal state"],
    ['no finish', tell({ extra: [] }), 'inconclusive', 'its upstream was not let finish'],
    ["another's finish", tell({ extra: [finished(8_300, 'hx.bob.1.0000000a')] }), 'inconclusive', 'its upstream was not let finish'],
    ['its own finish', tell({ extra: [finished(8_300, 'hx.alice.1.0000000a')] }), 'held', 'stayed'],
    ['a finish before it was over', tell({ extra: [finished(2_300)] }), 'inconclusive', 'its upstream was not let finish'],
    ['two sweeps to the millisecond', tell({ extra: [finished(8_959)] }), 'held', 'stayed'],
    ['one less', tell({ extra: [finished(8_960)] }), 'inconclusive', 'the ledger was seen for 2.0 s after refunds and finish, two sweeps take 2.0 s'],
    ['refunds that late', tell({ refunds: [{ atMs: 8_100, verdict: 'accepted' }, { atMs: 9_000, verdict: 'refused' }] }), 'inconclusive', 'two sweeps take'],
    ['it never ended', tell({ alice: { terminalMs: null } }), 'inconclusive', "the reservations of alice's exchange never came to a terminal state"],
    ['nothing was reserved', tell({ alice: { reservedMs: null } }), 'inconclusive', "no reservation of alice's exchange was ever seen active"],
    ['it was over when first seen', tell({ alice: { terminalMs: 1_110 } }), 'inconclusive', 'ever seen active'],
    ['whose it is cannot be told', tell({ marked: false }), 'inconclusive', 'may belong to another exchange'],
    ['a fault did not fire', tell({ ledger: from(8_150, { state: 'charged' }), extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }), 'inconclusive', 'fault x'],
    ['the system died', tell({ extra: [...ASKED.extra!, at(9_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null })] }), 'inconclusive', 'router died'],
    ['the record breaks off', { ...tell(), entries: without(crowd(ASKED), ({ atMs }) => atMs > 10_900) }, 'inconclusive', 'the record breaks off'],
    ['the ledger was seen too rarely', { ...tell(), entries: without(crowd(ASKED), (entry) => isSample('ledger')(entry) && entry.atMs > 4_000 && entry.atMs < 5_700) }, 'inconclusive', 'probe ledger too slow'],
    ['the ledger was lost', { ...tell(), entries: without(crowd(ASKED), (entry) => isSample('ledger')(entry) && entry.atMs > 10_300) }, 'inconclusive', 'probe ledger lost the ledger'],
    ['without a ledger', { ...tell(), facts: { ledger: null } }, 'does-not-apply', 'no ledger'],
    ['the scenario stops the system', { ...tell(), facts: { ...CROWD, stopsAt: 'gone' } }, 'does-not-apply', 'nobody left to ask'],
  ]);
  test('a change while asking is seen, one after it is not', () => {
    const outcomeAt = (ms: number) => verdictOf('terminal-once', { ...tell({ ledger: from(ms, { state: 'charged' }) }), options: ALICE }).outcome;
    expect([END_OF_ASK_MS - 40, END_OF_ASK_MS + 1].map(outcomeAt)).toEqual(['violated', 'held']);
  });
  test('evidence and interval', () => {
    expect(verdictOf('terminal-once', { ...tell({ ledger: from(8_150, { state: 'charged' }) }), options: ALICE })).toMatchObject({
      evidence: ['probe.ledger#77', 'probe.ledger#78'],
      interval: { fromMs: 8_160, toMs: 10_960 },
    });
  });
});
