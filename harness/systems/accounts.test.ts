// Accounts of one run.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountValues, createAccounts, whyNoPayer } from './accounts.ts';
import { cardWith, METERED, scenarioWith } from './fixture.ts';

const SCRIPT = 'script: [ request: chat, { disconnect: fin } ]';

test('one for each client that has one, shared where that is said, whatever the order', () => {
  const accounts = createAccounts(
    scenarioWith({
      clients: `clients: { zoe: { account: { same-as: alice }, ${SCRIPT} }, ` +
        `alice: { account: { balance: 7 }, script: [ request: chat, { disconnect: fin, mark: gone } ] }, ` +
        `none: { ${SCRIPT} } }`,
    }),
  );
  expect([...accounts.keys()].sort()).toEqual(['alice', 'zoe']);
  expect(accounts.get('zoe')).toBe(accounts.get('alice'));
  expect(accounts.get('alice')).toMatchObject({ id: 'acct-alice', balance: 7, key: expect.stringMatching(/^sk-[0-9a-f]{36}$/) });
});

test('keys are fresh; templates know the key only by what they need', () => {
  const [first, second] = [createAccounts(scenarioWith()), createAccounts(scenarioWith())].map((accounts) => accounts.get('alice')!);
  expect(first!.key).not.toBe(second!.key);
  expect(accountValues({ ...first!, captured: { token: 't' } })).toEqual({
    'account.id': 'acct-alice',
    'account.key': first!.key,
    'account.balance': 10,
    'account.payer': 'acct-alice',
    'account.keyHash': createHash('sha256').update(first!.key).digest('hex'),
    token: 't',
  });
});

test('an account that another one pays for is told whose; only where the card can say so to its system', () => {
  const backed = scenarioWith({
    clients: `clients: { alice: { account: { balance: 7, paid-by: carol }, script: [ request: chat, { disconnect: fin, mark: gone } ] }, ` +
      `carol: { account: { balance: 9 }, ${SCRIPT} }, zoe: { account: { same-as: alice }, ${SCRIPT} } }`,
  });
  const accounts = createAccounts(backed);
  expect(accountValues(accounts.get('zoe')!)).toMatchObject({ 'account.id': 'acct-alice', 'account.payer': 'acct-carol' });
  expect(accountValues(accounts.get('carol')!)['account.payer']).toBe('acct-carol');
  expect(whyNoPayer(cardWith(), backed)).toMatch(/how carol would pay for alice/);
  const telling = cardWith({ ...METERED, accounts: 'accounts: { create: [ { sql: "INSERT ${account.id} ${account.payer}" } ], bearer: "${account.key}" }' });
  expect(whyNoPayer(telling, backed)).toBeNull();
  expect(whyNoPayer(cardWith(), scenarioWith())).toBeNull();
});
