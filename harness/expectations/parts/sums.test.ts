// Amounts: what an exchange may cost, what faults added to an account, and what kind of wrong a total is.
import { describe, expect, test } from 'vitest';
import { FACTS } from '../fixtures/facts.ts';
import { asked, closed, ended, finished, got, ledger, left, noted, planned, row, tiny, wrote } from '../fixtures/tiny.ts';
import type { Entry } from '../fixtures/timeline.ts';
import type { Facts } from '../../model/facts.ts';
import { readingsOf } from '../../model/readings.ts';
import { billingClassOf, differs } from './billing-class.ts';
import { allowedEvents, eitherOf, priceOf } from './price.ts';
import type { Allowed } from './price.ts';
import { formerResidueOf, residueOf, seededOf } from './seeded.ts';

const allowed = (how: Allowed['how'], least: number, most = least, doubtful = most): Allowed => ({ how, leastEvents: least, mostEvents: most, doubtfulEvents: doubtful });
const may = (entries: readonly Entry[], leftMs: number | null, slackMs = 0, facts: Partial<Facts> = {}): Allowed => {
  const { view, exchange } = tiny([planned(0), asked(10), ...entries], facts);
  return allowedEvents(view, exchange, leftMs, slackMs);
};
const done = (ms: number, events: number, usage: number | null = null): Entry => finished(ms, { events, usage });

describe('what may be charged', () => {
  const DRAINS: Partial<Facts> = { policy: { ...FACTS.policy, onDisconnect: 'drain' }, bounds: { drain: 1_000 } };
  const five = [wrote(90, 1), got(100, 1), wrote(1_200, 2), wrote(1_500, 3), wrote(1_600, 4), wrote(2_100, 5)];
  test('read to the end: its usage', () => {
    expect(may([wrote(90, 3), got(100, 3), done(110, 3, 7), ended(120)], null)).toEqual(allowed('read', 7));
    expect(may([wrote(90, 3), got(100, 3), done(110, 3), ended(120)], null)).toEqual(allowed('read', 3));
    expect(may([wrote(90, 3), got(100, 2), done(110, 3), ended(120, 'alice', { how: 'truncated', endMark: false })], null)).toEqual(allowed('cut', 2, 3));
    expect(may([wrote(90, 3), got(100, 2), closed(110), ended(120)], null)).toEqual(allowed('cut', 2, 3));
  });
  test('left: from what had come to what was written half a second later', () => {
    expect(may(five, 1_000)).toEqual(allowed('cancel', 1, 3));
    expect(may(five, 1_000, 600)).toEqual(allowed('cancel', 1, 3, 5));
  });
  test('left, of what was withheld: nothing', () => {
    expect(may([wrote(90, 3), left(1_000)], 1_000)).toEqual(allowed('cancel', 0));
    expect(may([wrote(90, 3), left(1_000)], 1_000, 0, DRAINS)).toEqual(allowed('drain', 3));
  });
  test.each<[string, readonly Entry[], number, Allowed]>([
    ['over in time', [...five.slice(0, 4), done(1_750, 3, 9)], 0, allowed('drain', 9)],
    ['over about the bound', [...five.slice(0, 4), done(1_751, 3, 9)], 0, allowed('drain', 3, 9)],
    ['over about the bound, of which less was written than it says', [...five.slice(0, 4), done(2_250, 3, 2)], 0, allowed('drain', 2, 3)],
    ['over when it was too late', [...five.slice(0, 4), done(2_251, 3, 9)], 0, allowed('drain', 3)],
    ['not over', five, 0, allowed('drain', 4, 5)],
    ['not over, and somebody was held up', [...five, wrote(2_260, 6), wrote(2_900, 7)], 300, allowed('drain', 4, 6, 7)],
    ['cut', [...five.slice(0, 3), closed(1_300)], 0, allowed('drain', 1, 2)],
  ])('drained: %s', (_, entries, slackMs, wanted) => {
    const found = may(entries, 1_000, slackMs, DRAINS);
    expect({ ...found, doubtfulEvents: Math.max(found.doubtfulEvents, found.mostEvents) }).toMatchObject(wanted);
  });
  test('of several attempts any that came to something', () => {
    expect(eitherOf([allowed('read', 3), allowed('read', 5)])).toEqual(allowed('read', 3, 5));
    expect(eitherOf([allowed('cancel', 1, 4, 6), allowed('read', 3)])).toEqual(allowed('cut', 1, 4, 6));
    expect(eitherOf([allowed('cut', 0), allowed('read', 3)])).toEqual(allowed('read', 3));
    expect(eitherOf([allowed('cut', 0), allowed('cut', 0)])).toEqual(allowed('cut', 0));
  });
  test('at the price of the card', () => expect(priceOf({ perRequest: 10, perEvent: 2 }, 3)).toBe(16));
});

describe('what faults added', () => {
  const rows = (ms: number, id: string, aggregate?: boolean, account = 'acc'): Entry => noted(ms, { type: 'ledger-rows', reservations: [id], account, ...(aggregate === undefined ? {} : { aggregate }) });
  const total = (ms: number, amount: number, account = 'acc'): Entry => noted(ms, { type: 'ledger-aggregate', account, amount, reservedAtMs: null });
  test('rows that can be released, rows that cannot, and totals', () => {
    const { view } = tiny([planned(0), rows(10, 'a'), rows(20, 'b', true), rows(90, 'c', false), total(30, 5), rows(1, 'd', true, 'other'), total(99, 7, 'other')]);
    expect(seededOf(view, 'acc')).toMatchObject({ rows: ['a', 'b'], orphans: ['c'], firstMs: 10, writtenMs: 30, evidence: ['harness#3', 'harness#4', 'harness#6', 'harness#5'] });
    expect(seededOf(view, 'nobody')).toMatchObject({ rows: [], orphans: [], aggregates: [], firstMs: Infinity, writtenMs: -Infinity });
  });
  const held = (ms: number, reserved: number, live = [row()], more = {}): Entry => ledger(ms, live, { accounts: [{ id: 'acc', balance: 0, reserved, spent: 0 }], ...more });
  const former = (...entries: readonly Entry[]): number => {
    const { view } = tiny([planned(0), ...entries]);
    return formerResidueOf(view, readingsOf(view.timeline, 'ledger').at(-1)!, 'acc');
  };
  test('what was there beside rows', () => {
    const { view } = tiny([planned(0), held(50, 140), ledger(60, [], { accounts: [] })]);
    expect(readingsOf(view.timeline, 'ledger').map((reading) => residueOf(view, reading, 'acc'))).toEqual([40, 0]);
  });
  test.each<[string, readonly Entry[], number]>([
    ['nothing was added', [held(50, 140)], 40],
    ['a total was added later', [held(50, 140), total(60, 40)], 40],
    ['a total was added, and nobody had looked', [total(10, 30), held(50, 140)], 10],
    ['a total was added as the look began', [total(49, 30), held(50, 140)], 10],
    ['another was added later', [total(10, 30), held(50, 140), total(60, 40)], 10],
    ['more was added than there is', [total(10, 70), held(50, 140)], 0],
    ['a total was added, and it was looked before', [held(5, 25, []), total(10, 30), held(50, 140)], 25],
    ['looked before, in parts', [held(5, 25, [], { consistent: false }), total(10, 30), held(50, 140)], 10],
    ['looked before the account was there', [ledger(5, [], { accounts: [] }), total(10, 30), held(50, 140)], 10],
    ['looked in that very moment', [held(10, 25, []), total(10, 30), held(50, 140)], 10],
    ['a row was added that is over without its part', [rows(10, 'a'), held(50, 100, [row({ id: 'a', terminal: true })])], 0],
    ['a row was added that lives', [rows(10, 'a'), held(50, 140, [row({ id: 'a' })])], 40],
    ['a row was added that lives without its part', [rows(10, 'a'), held(50, 0, [row({ id: 'a' })])], -100],
    ['a row that never had a part', [rows(10, 'a', false), held(50, 0, [row({ id: 'a' })])], 0],
  ])('before: %s', (_, entries, residue) => expect(former(...entries)).toBe(residue));
});

/** A lease lasts 1,500 ms; the ledger's clock is 10,000 ms ahead of the record. */
describe('what kind of wrong', () => {
  const live = (id: string, leaseAtMs: number | undefined) => ({ ...row({ id }), leaseAtMs }) as ReturnType<typeof row>;
  const kindOf = (rows: readonly ReturnType<typeof row>[], reserved: number | null = 100, before: readonly ReturnType<typeof row>[] = rows, fromMs = 5_000): string | undefined => {
    const accounts = reserved === null ? [] : [{ id: 'acc', balance: 0, reserved, spent: 0 }];
    const { view } = tiny([planned(0), ledger(4_000, before, { wallMs: 14_000 }), ledger(5_000, rows, { accounts, wallMs: 15_000 })]);
    return billingClassOf(view, 'acc', readingsOf(view.timeline, 'ledger').at(-1)!, fromMs);
  };
  test.each<[string, () => string | undefined, string | undefined]>([
    ['no row', () => kindOf([]), 'aggregate without a row'],
    ['old', () => kindOf([live('7', 13_499)]), 'stale but unswept'],
    ['as old as a lease', () => kindOf([live('7', 13_500)]), undefined],
    ['without a lease', () => kindOf([live('7', undefined)]), undefined],
    ['old and new', () => kindOf([live('7', 13_499), live('8', 13_500)]), 'some stale, some fresh'],
    ['ahead', () => kindOf([live('7', 16_501)]), 'future lease'],
    ['one of two ahead', () => kindOf([live('7', 16_501), live('8', 15_000)]), 'future lease'],
    ['as far ahead as a lease', () => kindOf([live('7', 16_500)]), undefined],
    ['moving', () => kindOf([live('7', 14_900)], 100, [live('7', 14_000)], 0), 'renewing'],
    ['moving, in a sample that began at that time', () => kindOf([live('7', 14_900)], 100, [live('7', 14_000)], 3_999), 'renewing'],
    ['moving, within a lease, though it counts from later', () => kindOf([live('7', 14_900)], 100, [live('7', 14_000)], 4_500), 'renewing'],
    ['one of two moving', () => kindOf([live('7', 14_000), live('8', 14_900)], 200, [live('7', 14_000), live('8', 14_000)]), 'renewing'],
    ['one that is over now was', () => kindOf([live('8', 14_000)], 100, [live('7', 14_000), live('8', 14_000)]), undefined],
    ['another sum', () => kindOf([live('7', 14_000)], 99), 'aggregate and rows drifted apart'],
    ['no account', () => kindOf([live('7', 14_000)], null), 'aggregate and rows drifted apart'],
  ])('%s', (_, find, wanted) => expect(find()).toBe(wanted));
  test('amounts', () => expect([differs(1, 1.0000001), differs(1, 1.00001), differs(1.00001, 1)]).toEqual([false, true, true]));
});
