// The billing owner is another account than the key that asked: whose money it is decides, in every claim.
import { describe, expect, test } from 'vitest';
import { crowd, CROWD } from './fixtures/crowd.ts';
import type { Crowd } from './fixtures/crowd.ts';
import { verdictOf } from './fixtures/judging.ts';
import { AMOUNT } from './fixtures/knobs.ts';
import type { Knobs } from './fixtures/knobs.ts';
import { story } from './fixtures/story.ts';
import { table } from './fixtures/table.ts';
import type { Row } from './fixtures/table.ts';
import type { Account, LedgerValue } from '../model/samples.ts';

const ALICE = { client: 'alice' };
const backed: Partial<Crowd> = { alice: { payer: 'sponsor' }, bob: { account: null } };
const tell = (changes: Partial<Crowd> = {}): Row[1] => ({ entries: crowd({ ...backed, ...changes }), facts: CROWD });
const change =
  (id: string, fromMs: number, more: (account: Account) => Partial<Account>) =>
  (value: LedgerValue, ms: number): LedgerValue => ({
    ...value,
    accounts: value.accounts.map((account) => (account.id === id && ms >= fromMs ? { ...account, ...more(account) } : account)),
  });
/** What was held goes back to the key's account, and stays held on the payer's. */
const misdirected = (value: LedgerValue, ms: number): LedgerValue =>
  change('acc', 3_020, ({ balance }) => ({ balance: balance + AMOUNT }))(
    change('sponsor', 3_020, ({ balance, reserved }) => ({ balance: balance - AMOUNT, reserved: reserved + AMOUNT }))(value, ms),
    ms,
  );

describe('accounting-valid', () => {
  table('accounting-valid', {}, [
    ['what goes back to the payer adds up', tell(), 'held', 'add up'],
    ['what goes back to whoever asked does not', tell({ ledger: misdirected }), 'violated', 'account acc does not add up'],
    ['the payer still holds what is no longer held', tell({ ledger: change('sponsor', 3_020, ({ balance }) => ({ balance: balance - AMOUNT, reserved: AMOUNT })) }), 'violated', 'account sponsor does not add up at 3.1 s: it has 100 reserved, its live reservations add up to 0'],
  ]);
  test('asked of one client it is asked of who pays for it too, and of nobody else', () => {
    const payer = tell({ ledger: change('sponsor', 3_020, ({ balance }) => ({ balance: balance + 1 })) });
    expect(verdictOf('accounting-valid', { ...payer, options: ALICE }).outcome).toBe('violated');
    const other = tell({ ledger: change('other', 3_020, ({ balance }) => ({ balance: balance + 1 })) });
    expect(verdictOf('accounting-valid', { ...other, options: ALICE }).outcome).toBe('held');
    expect(verdictOf('accounting-valid', other).outcome).toBe('violated');
  });
});

describe('nothing-reserved', () => {
  table('nothing-reserved', ALICE, [
    ['the payer has nothing more', tell(), 'held', 'account acc has 0 reserved'],
    ['the payer still has', tell({ alice: { payer: 'sponsor', terminalMs: null } }), 'violated', 'account sponsor has 100 reserved'],
    ['the payer still has, without a row', tell({ ledger: misdirected }), 'violated', 'account sponsor has 100 reserved'],
    ["the key's account has", tell({ ledger: change('acc', 3_020, () => ({ reserved: 1 })) }), 'violated', 'account acc has 1 reserved'],
    ['a third account is no matter', tell({ ledger: change('other', 3_020, () => ({ reserved: 1 })) }), 'held', '0 reserved'],
  ]);
});

describe('what it was charged', () => {
  const paidBy = (marked: boolean, charged: string): Partial<Knobs> => ({
    marked,
    ledger: (value) => ({
      ...value,
      accounts: [...value.accounts, { id: 'sponsor', balance: 1, reserved: 0, spent: 0 }],
      reservations: value.reservations.map((row) => ({ ...row, payer: 'sponsor' })),
      charges: value.charges!.map((charge) => ({ ...charge, account: charged })),
    }),
  });
  table('charged-once', { client: 'alice', after: 'gone' }, [
    ['its payer, with a marker', { entries: story(paidBy(true, 'sponsor')) }, 'held', '19 charged'],
    ['its payer, without one', { entries: story(paidBy(false, 'sponsor')) }, 'held', '19 charged'],
    ['without a marker whoever asked is not who paid', { entries: story(paidBy(false, 'acc')) }, 'violated', 'nothing was charged'],
  ]);
  test('by the growth of what its payer has spent', () => {
    const { charges: _, ...none } = { charges: null };
    const grows: Partial<Knobs> = {
      ledger: ({ charges, ...value }) => ({
        ...value,
        ...none,
        accounts: [
          ...value.accounts.map((account) => ({ ...account, spent: 0 })),
          { id: 'sponsor', balance: 1, reserved: 0, spent: charges!.reduce((sum, { amount }) => sum + amount, 0) },
        ],
        reservations: value.reservations.map((row) => ({ ...row, payer: 'sponsor' })),
      }),
    };
    expect(verdictOf('charged-once', { entries: story(grows), options: { client: 'alice', after: 'gone' } }).reason).toContain('19 charged');
  });
});
