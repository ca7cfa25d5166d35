// A ledger that was written more often than its samples explain clears nobody, unless others may have written it.
import { describe, expect, test } from 'vitest';
import type { LedgerValue, Reservation } from '../model/samples.ts';
import { verdictOf } from './fixtures/judging.ts';
import { LEAK, WALL_MS } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import { at } from './fixtures/timeline.ts';
import type { Entry } from './fixtures/timeline.ts';

type Change = (value: LedgerValue, ms: number) => LedgerValue;

/** Each so many ms one more write, from a moment on; two times `times` in one go. */
const written = (times: number, everyMs: number, fromMs: number, then: Change = (value) => value): Partial<Knobs> => ({
  ledger: (value, ms) => ({ ...then(value, ms), writes: 100 + times * Math.max(0, Math.floor((ms - fromMs) / everyMs)) }),
});

const row = (changes: Partial<Reservation>): Reservation => ({
  id: '9', account: 'other', payer: 'other', amount: 5, state: 'active', terminal: false, leaseAtMs: WALL_MS, marker: 'hx.bob.1.00000002', ...changes,
});
const beside = (changes: (ms: number) => Partial<Reservation>): Change => (value, ms) => ({
  ...value, reservations: [...value.reservations, row(changes(ms))],
});
const bob: Entry = at(1_000, 'harness', {
  type: 'exchange-planned', marker: 'hx.bob.1.00000002', client: 'bob', account: 'other', upstream: 'model', request: 'chat', purpose: 'drive',
});
const CLAIMS = [
  ['billing-terminal', { client: 'alice', after: 'gone', within: 500 }],
  ['renewal-stopped', { client: 'alice', after: 'gone' }],
] as const;
const UNSEEN = "and no sample shows what for: alice's money may have been held again between two looks";

describe.each(CLAIMS)('%s', (claim, options) => {
  table(claim, options, [
    ['no count, no doubt', { entries: story() }, 'held', ''],
    ['written while it lived, and not since', { entries: story(written(0, 100, 0)) }, 'held', ''],
    ['twice between two looks', { entries: story(written(2, 1_000, 3_000)) }, 'inconclusive', UNSEEN],
    ['twenty times', { entries: story(written(20, 1_000, 3_000)) }, 'inconclusive', 'the ledger was written 20 times between'],
    ['once: nothing can have been ended and begun by that', { entries: story(written(1, 400, 3_000)) }, 'held', ''],
    ['as often already when nobody had asked', { entries: story(written(2, 1_000, -2_000)) }, 'held', ''],
    ['what was written with the settlement', { entries: story(written(7, 6_000, -2_970)) }, 'held', ''],
    [
      'renewals of another account',
      { entries: story({ ...written(2, 500, 1_500, beside((ms) => ({ leaseAtMs: WALL_MS + Math.floor(ms / 500) * 500 }))), extra: [bob] }) },
      'held',
      '',
    ],
    [
      'more than renewals of another account can be',
      { entries: story({ ...written(9, 500, 3_000, beside((ms) => ({ leaseAtMs: WALL_MS + Math.floor(ms / 500) * 500 }))), extra: [bob] }) },
      'inconclusive',
      UNSEEN,
    ],
    [
      'another exchange whose row nobody sees may write what it likes',
      { entries: story({ ...written(9, 500, 3_000), extra: [bob] }) },
      'held',
      '',
    ],
    [
      'what everybody can see may take many writes',
      { entries: story({ ...written(9, 500, 3_000, beside((ms) => ({ id: `9${Math.floor(ms / 500)}`, state: 'released', terminal: true }))) }) },
      'held',
      '',
    ],
    [
      'rows of its own that are over whenever they are seen',
      {
        entries: story(
          written(2, 500, 3_000, (value, ms) => ({
            ...value,
            reservations: [
              ...value.reservations,
              ...Array.from({ length: Math.max(0, Math.floor((ms - 3_000) / 500)) }, (_, index) => ({
                ...value.reservations[0]!, id: `8${index}`, state: 'released', terminal: true,
              })),
            ],
          })),
        ),
      },
      'inconclusive',
      UNSEEN,
    ],
    ['a count that began again', { entries: story({ ledger: (value, ms) => ({ ...value, writes: ms < 5_000 ? 900 : 3 }) }) }, 'held', ''],
  ]);

  test('what a fault wrote is nobody\'s', () => {
    const rows = at(5_050, 'harness', { type: 'ledger-rows', reservations: ['elsewhere'], account: 'other' });
    const once: Partial<Knobs> = { ledger: (value, ms) => ({ ...value, writes: ms < 5_050 ? 1 : 4 }) };
    expect(verdictOf(claim, { entries: story({ ...once, extra: [rows] }), options }).outcome).toBe('held');
    expect(verdictOf(claim, { entries: story(once), options }).outcome).toBe('inconclusive');
  });
});

test('writes are no accusation, and no excuse', () => {
  const leak = verdictOf('billing-terminal', { entries: story({ ...LEAK, ...written(2, 500, 3_000) }), options: CLAIMS[0][1] });
  expect(leak.outcome).toBe('violated');
  const renewing = verdictOf('renewal-stopped', { entries: story({ ...LEAK, ...written(2, 500, 3_000) }), options: CLAIMS[1][1] });
  expect(renewing.outcome).toBe('violated');
});

test('a row that stays as it is, but is written', () => {
  const still: Partial<Knobs> = { ...LEAK, renewUntilMs: 2_900 };
  expect(verdictOf('renewal-stopped', { entries: story(still), options: CLAIMS[1][1] }).outcome).toBe('held');
  expect(verdictOf('renewal-stopped', { entries: story({ ...still, ...written(2, 500, 3_000) }), options: CLAIMS[1][1] }).outcome).toBe('inconclusive');
});
