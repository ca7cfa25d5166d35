// Prepaid accounts of one run: fresh keys that exist nowhere but in this process and the system.
import { createHash, randomBytes } from 'node:crypto';
import type { Scenario } from '../scenario/scenario.ts';
import type { Values } from './template.ts';

export type RunAccount = {
  /** The ledger's id of it. */
  readonly id: string;
  /** A secret: registered with the redactor before it is used. */
  readonly key: string;
  readonly balance: number;
  /** What its creation captured from the system's answers, for requests and the bearer. */
  readonly captured?: Values;
};

/** One account per client that has one; `same-as` shares another client's. */
export const createAccounts = (scenario: Scenario): ReadonlyMap<string, RunAccount> => {
  const accounts = new Map<string, RunAccount>();
  for (const [name, client] of Object.entries(scenario.clients)) {
    if (client.account === null || client.account.sameAs !== null) continue;
    accounts.set(name, { id: `acct-${name}`, key: `sk-${randomBytes(18).toString('hex')}`, balance: client.account.balance });
  }
  for (const [name, client] of Object.entries(scenario.clients)) {
    const shared = client.account?.sameAs ? accounts.get(client.account.sameAs) : undefined;
    if (shared) accounts.set(name, shared);
  }
  return accounts;
};

/** What a card's templates may say about an account. `keyHash`: SHA-256 of the key, hexadecimal. */
export const accountValues = (account: RunAccount): Values => ({
  'account.id': account.id,
  'account.key': account.key,
  'account.keyHash': createHash('sha256').update(account.key).digest('hex'),
  'account.balance': account.balance,
  ...account.captured,
});
