// A charge is not right because its marker is: somebody must pay who asked, or who backs what was asked.
import { table } from './fixtures/table.ts';
import { story } from './fixtures/story.ts';
import type { LedgerValue } from '../model/samples.ts';

const OPTIONS = { client: 'alice', after: 'gone' };
const chargedTo =
  (account: string, payer = 'acc') =>
  (value: LedgerValue): LedgerValue => ({
    ...value,
    reservations: value.reservations.map((row) => ({ ...row, payer })),
    charges: value.charges!.map((charge) => ({ ...charge, account })),
  });

table('charged-once', OPTIONS, [
  ['the account that asked', { entries: story({ ledger: chargedTo('acc') }) }, 'held', 'alice: 19 charged'],
  ['the account that backs it', { entries: story({ ledger: chargedTo('other', 'other') }) }, 'held', 'alice: 19 charged'],
  ['the key of somebody who has a payer', { entries: story({ ledger: chargedTo('acc', 'other') }) }, 'held', 'alice: 19 charged'],
  [
    'an account that has nothing to do with it',
    { entries: story({ ledger: chargedTo('other') }) },
    'violated',
    "alice's exchange was charged to account other, not to acc: 19 charged",
  ],
  [
    'nor is it right where another one pays',
    { entries: story({ ledger: chargedTo('third', 'other') }) },
    'violated',
    "alice's exchange was charged to account third, not to acc or other: 19 charged",
  ],
]);
