// Money that is being worked for is not paid back; and only of what was surely live anything is said.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Facts } from '../model/facts.ts';

const BOB = { client: 'bob' };
const asked = (verdict: 'accepted' | 'refused' | 'unexpected', atMs = 8_105, account = 'acc'): Partial<Crowd> => ({ refunds: [{ atMs, verdict, account }] });
const tell = (changes: Partial<Crowd>, facts: Partial<Facts> = {}): Row[1] => ({ entries: crowd(changes), facts: { ...CROWD, ...facts } });

describe('refund-refused', () => {
  table('refund-refused', BOB, [
    ['refused', tell(asked('refused')), 'held', 'the refund asked at 8.1 s was refused: status 400; bob was being served before and after it'],
    ['accepted', tell(asked('accepted')), 'violated', 'the refund asked at 8.1 s was accepted: status 200, while bob was being served'],
    ['accepted, whereupon its row was released', tell({ ...asked('accepted'), bob: { terminalMs: 8_106 } }), 'violated', 'was accepted'],
    ['accepted, whereupon its stream was cut', tell({ ...asked('accepted'), bob: { terminalMs: 8_106, closedMs: 8_107, toldMs: 8_108 } }), 'violated', 'was accepted'],
    ['refused, whereupon its row was released', tell({ ...asked('refused'), bob: { terminalMs: 8_106 } }), 'inconclusive', "bob's reservation was over in the first sample after the answer"],
    ['refused, and nothing more came', tell({ ...asked('refused'), bob: { readsUntilMs: 8_100 } }), 'inconclusive', 'bob received no data event after the answer'],
    ['neither', tell(asked('unexpected')), 'inconclusive', 'which is neither of those that the card names'],
    ['not asked', tell({}), 'inconclusive', 'no refund was asked for account acc'],
    ["another account's", tell(asked('accepted', 8_105, 'other')), 'inconclusive', 'no refund was asked for account acc'],
    ['asked in the script', tell(asked('accepted', 2_000)), 'violated', 'the refund asked at 2.0 s'],
    ['asked before it was planned', tell(asked('accepted', 1_080)), 'inconclusive', 'no refund was asked'],
    ['accepted when its upstream had ended', tell({ ...asked('accepted'), bob: { upstreamEndMs: 8_050 } }), 'inconclusive', "bob's exchange was over by the answer: its upstream ended it"],
    ['accepted when its upstream ended in the very moment', tell({ ...asked('accepted'), bob: { upstreamEndMs: 8_105 } }), 'inconclusive', 'over by the answer'],
    ['its upstream ended just after the answer', tell({ ...asked('accepted'), bob: { upstreamEndMs: 8_106 } }), 'violated', 'was accepted'],
    ['accepted when bob had left', tell({ ...asked('accepted'), bob: { leftMs: 8_000 } }), 'inconclusive', 'over by the answer: bob left'],
    ['accepted when bob had been told of its end', tell({ ...asked('accepted'), bob: { toldMs: 8_101 } }), 'inconclusive', 'over by the answer: the system ended it for bob'],
    ['accepted when its row was over', tell({ ...asked('accepted'), bob: { terminalMs: 8_050 } }), 'inconclusive', "no reservation of bob's exchange was seen active"],
    ['accepted when the sample of that moment shows its row over', tell({ ...asked('accepted', 8_165), bob: { terminalMs: 8_160 } }), 'inconclusive', "no reservation of bob's exchange was seen active"],
    ['accepted in the moment of its first event', tell(asked('accepted', 1_207)), 'violated', 'was accepted'],
    ['accepted a moment before it', tell(asked('accepted', 1_206)), 'inconclusive', 'bob had received no data event'],
    ['refused, and the sample of that moment shows its row', tell({ ...asked('refused', 8_159), bob: { terminalMs: 8_200 } }), 'held', 'before and after it'],
    ['refused, and the last event came in that moment', tell({ ...asked('refused', 8_102), bob: { readsUntilMs: 8_102 } }), 'inconclusive', 'bob received no data event after the answer'],
    ['accepted before anything had come', tell({ ...asked('accepted', 1_205), bob: { everyMs: 2_000 } }), 'inconclusive', 'bob had received no data event'],
    ['refused while live, accepted when all was over', tell({ refunds: [{ atMs: 8_105, verdict: 'refused' }, { atMs: 9_000, verdict: 'accepted' }], bob: { upstreamEndMs: 8_900, terminalMs: 8_910 } }), 'held', 'at 8.1 s was refused'],
    ['refused once, accepted the next time', tell({ refunds: [{ atMs: 8_105, verdict: 'refused' }, { atMs: 9_000, verdict: 'accepted' }] }), 'violated', 'at 9.0 s was accepted'],
    ['whose row it is cannot be told', tell({ ...asked('accepted'), marked: false }), 'inconclusive', "a reservation of bob's account may be another exchange's"],
    ['a fault did not fire', tell({ ...asked('accepted'), extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }), 'inconclusive', 'fault x'],
    ['the record breaks off', { ...tell({}), entries: without(crowd(asked('refused')), ({ atMs }) => atMs > 9_000) }, 'inconclusive', 'the record breaks off'],
    ['the ledger was not seen afterwards', { ...tell({}), entries: without(crowd(asked('refused')), (entry) => isSample('ledger')(entry) && entry.atMs > 8_100) }, 'inconclusive', 'the ledger was not seen after the answer'],
    ['without a ledger', tell(asked('refused'), { ledger: null }), 'does-not-apply', 'no ledger'],
    ['the scenario stops the system', tell(asked('refused'), { stopsAt: 'gone' }), 'does-not-apply', 'nobody left to ask'],
  ]);
  test('a retry of its is as live as a first attempt', () => {
    const marker = 'hx.bob.1.0000000a';
    const failed = [
      at(1_105, 'upstream.model', { type: 'request-received', connection: 20, exchange: 20, marker, method: 'POST', path: '/', bodyBytes: 1, behaviour: 'error-status' }),
      at(1_107, 'upstream.model', { type: 'peer-closed', connection: 20, exchange: 20, marker, how: 'fin', bytes: 0, events: 0 }),
    ] as const;
    expect(verdictOf('refund-refused', { ...tell({ ...asked('refused'), extra: failed }), options: BOB }).outcome).toBe('held');
  });
  test('evidence and interval', () => {
    const found = verdictOf('refund-refused', { ...tell(asked('accepted')), options: BOB });
    expect(found).toMatchObject({ evidence: ['harness#22'], interval: { fromMs: 8_100, toMs: 8_105 } });
  });
});

describe('refundable beside it', () => {
  const finished = (atMs: number, marker: string | null) => at(atMs, 'harness', { type: 'let-finish', marker, count: 1 });
  const two: Partial<Crowd> = { refunds: [{ atMs: 8_105, verdict: 'refused' }, { atMs: 9_000, verdict: 'accepted' }], bob: { upstreamEndMs: 8_900, terminalMs: 8_910 } };
  table('refundable', BOB, [
    ['what was asked to be refused is not asked of it', tell({ ...two, extra: [finished(8_890, 'hx.bob.1.0000000a')] }), 'held', 'the refund was accepted'],
    ['without a sibling that was let finish the first counts', tell(two), 'violated', 'the refund was refused'],
    ['what leaked is let finish later', tell({ ...two, extra: [finished(8_890, null)] }), 'violated', 'the refund was refused'],
    ['what finished before the questions is no matter', tell({ ...two, extra: [finished(7_000, 'hx.bob.1.0000000a')] }), 'violated', 'the refund was refused'],
  ]);
});
