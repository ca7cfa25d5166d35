// The claims about money that are judged at the end: no-late-charge, refundable, accounting-valid.
import { describe, expect, test } from 'vitest';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at, isSample, without } from './fixtures/timeline.ts';
import type { Account, LedgerValue } from '../model/samples.ts';

const ALICE = { client: 'alice' };
const died = at(7_000, 'system', { type: 'process-exited', process: 'router', code: 3, signal: null });
const noPath = at(800, 'harness', { type: 'precondition', name: 'path', met: false, detail: 'no' });
const noCharge = at(800, 'harness', { type: 'precondition', name: 'charge-visible', met: false, detail: 'no' });
const nobody = (story_: ReturnType<typeof story>) => without(story_, ({ fact }) => fact.type === 'exchange-planned');
const bob = at(1_050, 'harness', {
  type: 'exchange-planned',
  marker: 'hx.bob.1.00000002',
  client: 'bob',
  account: 'acc',
  upstream: 'model',
  request: 'chat',
  purpose: 'drive',
});

describe('no-late-charge', () => {
  const late = (atMs: number) => ({
    charges: [
      { atMs: 3_020, amount: 19 },
      { atMs, amount: 4 },
    ],
  });
  const inParts = (changes: Partial<Knobs>) => ({
    ...changes,
    ledger: (value: LedgerValue): LedgerValue => ({ ...value, consistent: false }),
  });
  const growth = (changes: Partial<Knobs>) => ({
    ...changes,
    ledger: (value: LedgerValue, ms: number): LedgerValue => {
      const { charges: _, ...rest } = value;
      // The refund takes the rest of the balance as spent.
      return {
        ...rest,
        accounts: rest.accounts.map((account) =>
          account.id === 'acc' && ms > 8_100 ? { ...account, balance: 0, spent: 10_000 } : account,
        ),
      };
    },
  });
  const SPENT = { facts: { ledger: { hasReservations: true, hasCharges: false } } };
  table('no-late-charge', ALICE, [
    ['nothing comes later', { entries: story() }, 'held', '1 charge of 19 when it was settled, and no other in 5.3 s after that'],
    ['nothing was charged, then or later', { entries: story({ charges: [] }) }, 'held', '0 charges of 0'],
    ['a late charge', { entries: story(late(5_000)) }, 'violated', "4 was charged 2.0 s after alice's exchange was settled"],
    ['a charge after the upstream was let finish', { entries: story(late(8_200)) }, 'violated', '4 was charged 5.2 s after'],
    [
      'the amount of a charge grows',
      {
        entries: story({
          ledger: (value, ms) => (ms < 5_000 ? value : { ...value, charges: value.charges!.map((charge) => ({ ...charge, amount: 23 })) }),
        }),
      },
      'violated',
      '4 was charged 2.0 s after',
    ],
    [
      'a charge is taken back',
      { entries: story({ ledger: (value, ms) => (ms < 5_000 ? value : { ...value, charges: [] }) }) },
      'violated',
      '-19 was charged',
    ],
    [
      'a charge one sample after the terminal state',
      { entries: story({ charges: [{ atMs: 3_100, amount: 19 }] }) },
      'violated',
      '19 was charged 100 ms after',
    ],
    [
      'the same, where the ledger is read in parts',
      { entries: story(inParts({ charges: [{ atMs: 3_100, amount: 19 }] })) },
      'held',
      '1 charge of 19',
    ],
    [
      'two samples after, read in parts',
      { entries: story(inParts({ charges: [{ atMs: 3_200, amount: 19 }] })) },
      'violated',
      '19 was charged',
    ],
    ['growth of a total only, and a refund', { entries: story(growth({})), ...SPENT }, 'held', '1 charge of 19'],
    ['growth of a total only, late', { entries: story(growth(late(5_000))), ...SPENT }, 'violated', '4 was charged'],
    ['never settled', { entries: story(LEAK) }, 'inconclusive', "the reservations of alice's exchange never came to a terminal state"],
    [
      'nothing was reserved',
      { entries: story({ ledger: (value) => ({ ...value, reservations: [] }) }) },
      'inconclusive',
      "no reservation of alice's exchange was ever seen active",
    ],
    [
      'whose reservation it is cannot be told',
      { entries: story({ marked: false, extra: [bob] }) },
      'inconclusive',
      'may belong to another exchange',
    ],
    [
      'whose charge it is cannot be told',
      { entries: story({ ...growth({}), extra: [bob] }), ...SPENT },
      'inconclusive',
      "may be another exchange's: the ledger has no markers",
    ],
    [
      'a late charge stands though the ledger was lost later',
      { entries: without(story(late(5_000)), (entry) => isSample('ledger')(entry) && entry.atMs > 6_000) },
      'violated',
      '4 was charged',
    ],
    ['nobody asked', { entries: nobody(story()) }, 'inconclusive', 'alice planned no exchange'],
    [
      'no baseline',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs < 1_100) },
      'inconclusive',
      'no sample of the baseline',
    ],
    ['the path did not work', { entries: story({ extra: [noPath] }) }, 'inconclusive', 'precondition path'],
    ['no charge was ever seen', { entries: story({ extra: [noCharge] }) }, 'inconclusive', 'precondition charge-visible'],
    ['the system died', { entries: story({ extra: [died] }) }, 'inconclusive', 'router died'],
    [
      'the record breaks off while asking',
      { entries: without(story(), ({ atMs }) => atMs > 8_200) },
      'inconclusive',
      'the record breaks off at 8.2 s, before the end of the questions after the watch',
    ],
    [
      'the ledger was lost',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 7_500) },
      'inconclusive',
      'probe ledger lost the ledger',
    ],
    [
      'the ledger was seen too rarely',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs > 4_000 && entry.atMs < 6_000) },
      'inconclusive',
      'probe ledger too slow',
    ],
    [
      'the ledger was seen too rarely, before',
      {
        entries: without(
          story({ terminalMs: 6_000, charges: [{ atMs: 6_000, amount: 19 }] }),
          (entry) => isSample('ledger')(entry) && entry.atMs > 3_200 && entry.atMs < 5_500,
        ),
      },
      'held',
      '1 charge of 19',
    ],
    [
      'a fault did not fire',
      { entries: story({ ...late(5_000), extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }) },
      'inconclusive',
      'fault x did not fire',
    ],
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
  ]);
  test('evidence and interval', () => {
    expect(verdictOf('no-late-charge', { entries: story(late(5_000)), options: ALICE })).toMatchObject({
      evidence: ['probe.ledger#27', 'probe.ledger#47'],
      interval: { fromMs: 3_060, toMs: 5_060 },
    });
  });
  test('where the scenario stops the system the watch decides', () => {
    const entries = without(story({ refund: null }), ({ fact }) => fact.type === 'phase' && fact.phase === 'ask');
    expect(verdictOf('no-late-charge', { entries, options: ALICE, facts: { stopsAt: 'gone' } }).outcome).toBe('held');
    expect(verdictOf('no-late-charge', { entries, options: ALICE }).outcome).toBe('inconclusive');
  });
});

describe('refundable', () => {
  const asked = (verdict: Knobs['refund'], changes: Partial<Knobs> = {}) => ({ entries: story({ refund: verdict, ...changes }) });
  table('refundable', ALICE, [
    ['accepted', asked('accepted'), 'held', 'the refund was accepted: status 200, paid out'],
    [
      'refused',
      asked('refused', LEAK),
      'violated',
      'the refund was refused: status 400, There are ongoing requests; account acc had 100 reserved',
    ],
    ['refused though nothing is reserved', asked('refused'), 'violated', 'account acc had 0 reserved'],
    ['neither', asked('unexpected'), 'inconclusive', 'the answer to the refund is neither of those that the card names: status 400'],
    ['not asked', asked(null), 'inconclusive', 'no refund was asked for account acc'],
    [
      'asked too early only',
      {
        entries: story({
          refund: null,
          extra: [at(2_000, 'harness', { type: 'refund', account: 'acc', attempt: 1, status: 200, answer: '', verdict: 'accepted' })],
        }),
      },
      'inconclusive',
      'no refund was asked',
    ],
    [
      'asked for another only',
      {
        entries: story({
          refund: null,
          extra: [at(8_100, 'harness', { type: 'refund', account: 'other', attempt: 1, status: 200, answer: '', verdict: 'accepted' })],
        }),
      },
      'inconclusive',
      'no refund was asked',
    ],
    [
      'no answer',
      {
        entries: story({
          refund: null,
          extra: [
            at(8_100, 'harness', {
              type: 'refund',
              account: 'acc',
              attempt: 1,
              status: null,
              answer: 'ECONNREFUSED',
              verdict: 'unexpected',
            }),
          ],
        }),
      },
      'inconclusive',
      'status none, ECONNREFUSED',
    ],
    ['the system died before', { entries: story({ extra: [died] }) }, 'inconclusive', 'router died'],
    [
      'a fault did not fire',
      { entries: story({ ...LEAK, extra: [at(3_050, 'harness', { type: 'fault', fault: 'x', edge: 'failed', detail: 'no' })] }) },
      'inconclusive',
      'fault x did not fire',
    ],
    ['the path did not work', { entries: story({ extra: [noPath] }) }, 'inconclusive', 'precondition path'],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 8_200) }, 'inconclusive', 'the record breaks off'],
    [
      'nothing ever reached an upstream',
      { entries: without(story(), ({ actor }) => actor === 'upstream.model') },
      'inconclusive',
      'no request of account acc ever reached an upstream',
    ],
    [
      'the scenario stops the system',
      { entries: story(), facts: { stopsAt: 'gone' } },
      'does-not-apply',
      'the scenario stops the system: there is nobody left to ask',
    ],
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
  ]);
  test('class, evidence, interval', () => {
    expect(verdictOf('refundable', { entries: story(LEAK), options: ALICE })).toMatchObject({
      class: 'renewing',
      evidence: ['harness#20', 'probe.ledger#77'],
      interval: { fromMs: 6_000, toMs: 8_100 },
    });
    expect(verdictOf('refundable', { entries: story({ refund: 'refused' }), options: ALICE }).class).toBeUndefined();
  });
  test('a ledger that was never seen does not matter', () => {
    expect(verdictOf('refundable', { entries: without(story({ refund: 'refused' }), isSample('ledger')), options: ALICE })).toMatchObject({
      outcome: 'violated',
      evidence: ['harness#20'],
    });
  });
});

describe('accounting-valid', () => {
  const edit = (change: (account: Account) => Partial<Account>, fromMs = 4_000, toMs = Infinity, id = 'acc'): Partial<Knobs> => ({
    ledger: (value, ms) =>
      ms < fromMs || ms >= toMs
        ? value
        : { ...value, accounts: value.accounts.map((account) => (account.id === id ? { ...account, ...change(account) } : account)) },
  });
  const wrote = at(3_050, 'harness', { type: 'ledger-rows', reservations: ['orphan'], account: 'acc' });
  const hasNone: Partial<Knobs> = {
    charges: [],
    ledger: (value) => ({
      ...value,
      reservations: [],
      accounts: value.accounts.map((account) => ({ ...account, reserved: 0, balance: 10_000 })),
    }),
  };
  table('accounting-valid', {}, [
    ['adds up', { entries: story() }, 'held', '72 snapshots add up'],
    ['adds up while it leaks', { entries: story(LEAK) }, 'held', 'snapshots add up'],
    [
      'a negative balance',
      { entries: story(edit(({ balance }) => ({ balance: -1, spent: balance + 20 }))) },
      'violated',
      'account acc does not add up at 4.1 s: its balance is -1',
    ],
    [
      'negative reserved',
      { entries: story(edit(({ balance }) => ({ reserved: -5, balance: balance + 5 }))) },
      'violated',
      'its reserved is -5',
    ],
    [
      'negative spent',
      { entries: story(edit(({ balance, spent }) => ({ spent: -2, balance: balance + spent + 2 }))) },
      'violated',
      'its spent is -2',
    ],
    [
      'reserved without rows',
      { entries: story(edit(({ balance }) => ({ reserved: 9, balance: balance - 9 }))) },
      'violated',
      'it has 9 reserved, its live reservations add up to 0',
    ],
    [
      'reserved without rows, where there are none',
      {
        entries: story({ ...edit(({ balance }) => ({ reserved: 9, balance: balance - 9 })) }),
        facts: { ledger: { hasReservations: false, hasCharges: true } },
      },
      'held',
      'add up',
    ],
    [
      'money from nowhere',
      { entries: story(edit(({ balance }) => ({ balance: balance + 1 }))) },
      'violated',
      'balance, reserved and spent add up to 10001, at the baseline to 10000',
    ],
    ['once only', { entries: story(edit(({ balance }) => ({ balance: balance + 1 }), 4_000, 4_100)) }, 'violated', 'at 4.1 s'],
    [
      'in another account',
      { entries: story(edit(() => ({ balance: 1 }), 4_000, Infinity, 'other')) },
      'violated',
      'account other does not add up',
    ],
    [
      'in another account than the one that is asked for',
      { entries: story(edit(() => ({ balance: 1 }), 4_000, Infinity, 'other')), options: ALICE },
      'held',
      'add up',
    ],
    ['after the refund it may not', { entries: story(edit(() => ({ balance: 0 }), 8_110)) }, 'held', 'add up'],
    ['before the refund, but after the watch', { entries: story(edit(() => ({ balance: 0 }), 8_010)) }, 'violated', 'at 8.1 s'],
    [
      'an account that is new adds up from nothing',
      {
        entries: story({
          ledger: (value, ms) =>
            ms < 2_000 ? value : { ...value, accounts: [...value.accounts, { id: 'new', balance: 5, reserved: 0, spent: 0 }] },
        }),
      },
      'held',
      'add up',
    ],
    [
      'a snapshot read in parts is not judged',
      {
        entries: story({
          ledger: (value, ms) =>
            ms < 4_000 || ms > 5_000
              ? value
              : { ...value, consistent: false, accounts: value.accounts.map((account) => ({ ...account, balance: 3 })) },
        }),
      },
      'held',
      '62 snapshots add up',
    ],
    [
      'every snapshot was read in parts',
      { entries: story({ ledger: (value) => ({ ...value, consistent: false }) }) },
      'inconclusive',
      'the ledger was not read in one transaction',
    ],
    [
      'every snapshot but the baseline was',
      { entries: story({ ledger: (value, ms) => ({ ...value, consistent: ms < 1_060 }) }) },
      'inconclusive',
      'the ledger was not read in one transaction',
    ],
    ['while a fault corrupts it', { entries: story({ ...edit(() => ({ balance: 3 }), 4_000, 6_000), extra: [wrote] }) }, 'held', 'add up'],
    [
      'to the end after a fault corrupted it',
      { entries: story({ ...edit(() => ({ balance: 3 }), 4_000), extra: [wrote] }) },
      'violated',
      'account acc does not add up at 8.1 s',
    ],
    [
      'a fault in another account',
      { entries: story({ ...edit(() => ({ balance: 3 }), 4_000, 6_000, 'other'), extra: [wrote] }) },
      'violated',
      'account other',
    ],
    ['nothing moved', { entries: story(hasNone) }, 'inconclusive', 'no reservation or charge was ever seen: there was nothing to add up'],
    ['fractions', { entries: story(edit(({ balance }) => ({ balance: balance + 1e-8 }))) }, 'held', 'add up'],
    [
      'no baseline',
      { entries: without(story(), (entry) => isSample('ledger')(entry) && entry.atMs < 1_100) },
      'inconclusive',
      'no sample of the baseline',
    ],
    ['the system died', { entries: story({ extra: [died] }) }, 'inconclusive', 'router died'],
    ['the path did not work', { entries: story({ extra: [noPath] }) }, 'inconclusive', 'precondition path'],
    ['the record breaks off', { entries: without(story(), ({ atMs }) => atMs > 8_200) }, 'inconclusive', 'the record breaks off'],
    ['without a ledger', { entries: story(), facts: { ledger: null } }, 'does-not-apply', 'the card has no ledger'],
  ]);
  test('class, evidence, interval', () => {
    expect(verdictOf('accounting-valid', { entries: story(edit(() => ({ balance: 3 }), 4_000, 4_300)), options: {} })).toMatchObject({
      class: 'aggregate and rows drifted apart',
      evidence: ['probe.ledger#6', 'probe.ledger#37'],
      interval: { fromMs: 4_060, toMs: 4_260 },
    });
  });
});
