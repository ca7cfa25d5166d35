// Which writes samples explain, pair by pair: two samples 100 ms apart between which the ledger was written some times.
import { describe, expect, test } from 'vitest';
import { asked, closed, ended, ledger, left, noted, planned, row, tiny } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Facts } from '../../model/facts.ts';
import type { LedgerValue, Reservation } from '../../model/samples.ts';
import { writesAreExplained } from './unseen-writes.ts';

const WINDOW = { fromMs: 1_000, toMs: 9_000 };
const MINE = row();
const BOBS = row({ id: '9', account: 'other', marker: 'm.bob' });
const moved = (one: Reservation): Reservation => ({ ...one, leaseAtMs: 500 });
type Pair = { readonly before?: readonly Reservation[]; readonly after?: readonly Reservation[]; readonly toMs?: number; readonly more?: Partial<LedgerValue> };

/** Alice's row lives in both samples, unless said otherwise. */
const pair = (writes: number, { before = [MINE], after = before, toMs = 2_100, more = {} }: Pair = {}): readonly Entry[] => [
  planned(0), ledger(1_400, before, { writes: 10 }), ledger(2_000, before, { writes: 10 }), ledger(toMs, after, { writes: 10 + writes, ...more }),
];
const bob = (ms = 0): Entry => planned(ms, 'bob', { account: 'other' });
const beside: Pair = { before: [MINE, BOBS] };
const spent = { accounts: [{ id: 'acc', balance: 0, reserved: 0, spent: 5 }] };

const judged = (entries: readonly Entry[], window = WINDOW, facts: Partial<Facts> = {}) => {
  const { view, exchange } = tiny(entries, facts);
  return writesAreExplained(view, exchange, window);
};
const cases = (rows: readonly (readonly [name: string, entries: readonly Entry[], explained: boolean, window?: typeof WINDOW, facts?: Partial<Facts>])[]): void => {
  for (const [name, entries, explained, window, facts] of rows)
    test(name, () => expect(judged(entries, window, facts)?.reason.slice(0, 22) ?? null).toBe(explained ? null : 'the ledger was written'));
};

describe('how many', () => {
  cases([
    ['two', pair(2), false],
    ['one', pair(1), true],
    ['one, and a renewal of her own', pair(2, { after: [moved(MINE)] }), true],
    ['two, and a renewal of her own', pair(3, { after: [moved(MINE)] }), false],
    ["one, and another's renewal", pair(2, beside), true],
    ["two, and another's renewal", pair(3, beside), false],
    ['one, and a renewal of each', pair(3, { ...beside, after: [moved(MINE), BOBS] }), true],
    ['two, and a renewal of each', pair(4, { ...beside, after: [moved(MINE), BOBS] }), false],
    ['one, and three renewals in a second', pair(4, { ...beside, toMs: 3_000 }), true],
    ['two, and three renewals in a second', pair(5, { ...beside, toMs: 3_000 }), false],
    ['one, and three renewals of each', pair(7, { ...beside, after: [moved(MINE), BOBS], toMs: 3_000 }), true],
    ['two, and three renewals of each', pair(8, { ...beside, after: [moved(MINE), BOBS], toMs: 3_000 }), false],
    ['a row that is over renews nothing', pair(2, { before: [MINE, { ...BOBS, terminal: true }] }), false],
    ['any, where others renew who knows how often', pair(99, beside), true, WINDOW, { periods: {} }],
    ['two, where nobody else is there', pair(2), false, WINDOW, { periods: {} }],
    ['nobody counts', [planned(0), ledger(2_000, [MINE]), ledger(2_100, [MINE])], true],
    ['counted from now on', [planned(0), ledger(2_000, [MINE]), ledger(2_100, [MINE], { writes: 5 })], true],
  ]);
  test('in words, with both samples', () => {
    expect(judged(pair(2), WINDOW, { periods: {} })?.reason).toContain('was written 2 times');
    expect(judged(pair(2))).toMatchObject({ outcome: 'inconclusive', reason: expect.stringContaining("2 times between 2.0 s and 2.1 s, and no sample shows what for: alice's"), evidence: ['probe.ledger#2', 'probe.ledger#3'] });
  });
});

describe('what everybody sees', () => {
  const over = (one: Reservation): Reservation => ({ ...one, state: 'released', terminal: true });
  cases([
    ['money', pair(2, { more: spent }), true],
    ['a charge', pair(2, { more: { charges: [{ id: 'c1', account: 'other', amount: 5 }] } }), true],
    ["another's row that ends", pair(3, { ...beside, after: [MINE, over(BOBS)] }), true],
    ["another's new row", pair(3, { after: [MINE, BOBS] }), true],
    ["another's new row that is over", pair(2, { after: [MINE, over(BOBS)] }), true],
    ['a new row of her own', pair(2, { after: [MINE, row({ id: '8' })] }), true],
    ['a new row of her own that is over', pair(2, { after: [MINE, row({ id: '8', terminal: true })] }), false],
    ['a row that is gone', pair(3, { ...beside, after: [MINE] }), true],
    ['a lease only', pair(3, { ...beside, after: [MINE, moved(BOBS)] }), false],
  ]);
});

describe('what others did meanwhile', () => {
  const three = pair(3, beside);
  cases([
    ['nothing', [...three, bob()], false],
    ['asked', [...three, bob(2_050)], true],
    ['left', [...three, bob(), left(2_050, 'bob')], true],
    ['were answered', [...three, bob(), ended(2_050, 'bob')], true],
    ['were closed at their upstream', [...three, bob(), asked(10, 'bob'), closed(2_050, { marker: 'm.bob' })], true],
    ['were closed at their upstream long before', [...three, bob(), asked(10, 'bob'), closed(1_000, { marker: 'm.bob' })], false],
    ['as early as a margin before the first sample began', [...three, bob(), left(1_749, 'bob')], true],
    ['earlier', [...three, bob(), left(1_748, 'bob')], false],
    ['as late as the second sample', [...three, bob(), left(2_100, 'bob')], true],
    ['later', [...three, bob(), left(2_101, 'bob')], false],
    ['it was she who left', [...pair(2), left(2_050)], false],
    ['we did something', [...pair(2), noted(2_050, { type: 'fault', fault: 'x', edge: 'fired', detail: '' })], true],
    ['we noted something', [...pair(2), noted(2_050, { type: 'mark', mark: 'x', client: null })], false],
  ]);
});

describe('others of whom no row is live', () => {
  cases([
    ['are open', [...pair(2), bob()], true],
    ['have a row that is over', [...pair(2, { before: [MINE, { ...BOBS, terminal: true }] }), bob()], true],
    ['are none, since it is her own that is over', pair(2, { before: [{ ...MINE, terminal: true }] }), false],
    ['were over before', [...pair(2), bob(), ended(1_000, 'bob')], false],
    ['left before, and were told the end later', [...pair(2), bob(), left(1_000, 'bob'), ended(5_000, 'bob')], false],
    ['came later', [...pair(2), bob(2_500)], false],
  ]);
});

describe('when', () => {
  cases([
    ['from the very beginning of the window', pair(2), false, { fromMs: 1_999, toMs: 9_000 }],
    ['before it', pair(2), true, { fromMs: 2_000, toMs: 9_000 }],
    ['to the very end of it', pair(2), false, { fromMs: 1_000, toMs: 2_100 }],
    ['after it', pair(2), true, { fromMs: 1_000, toMs: 2_099 }],
  ]);
});

describe('what is usual', () => {
  /** As many writes before, and then the pair. */
  const usual = (rows: readonly Reservation[], then: Pair, writes: number): readonly Entry[] => [
    ledger(500, rows, { writes: 6 }), ledger(600, rows, { writes: 9 }), ...pair(writes, then),
  ];
  const late = { fromMs: 1_500, toMs: 9_000 };
  cases([
    ['for nobody', usual([], {}, 2), true, late],
    ['for her', usual([MINE], {}, 2), false, late],
    ['for her alone, where another is there now', usual([MINE], beside, 3), true, late],
    ['in the last sample before she left', [...usual([], {}, 2), left(600)], true, late],
    ['only after she had left', [...usual([], {}, 2), left(599)], false, late],
    ['only in the window', usual([], {}, 2), false, { fromMs: 599, toMs: 9_000 }],
  ]);
});
