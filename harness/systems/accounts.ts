// Prepaid accounts of one run: fresh keys that exist nowhere but in this process and the system.
import { createHash, randomBytes } from 'node:crypto';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import type { Values } from './template.ts';

export type RunAccount = {
  /** The ledger's id of it. */
  readonly id: string;
  /** A secret: registered with the redactor before it is used. */
  readonly key: string;
  readonly balance: number;
  /** The ledger's id of the account that pays for what this one asks; absent: its own. */
  readonly payer?: string;
  /** What its creation captured from the system's answers, for requests and the bearer. */
  readonly captured?: Values;
};

const idOf = (client: string): string => `acct-${client}`;

/** One account per client that has one; `same-as` shares another client's. */
export const createAccounts = (scenario: Scenario): ReadonlyMap<string, RunAccount> => {
  const accounts = new Map<string, RunAccount>();
  for (const [name, client] of Object.entries(scenario.clients)) {
    if (client.account === null || client.account.sameAs !== null) continue;
    const { balance, paidBy } = client.account;
    const payer = paidBy === undefined ? {} : { payer: idOf(paidBy) };
    accounts.set(name, { id: idOf(name), key: `sk-${randomBytes(18).toString('hex')}`, balance, ...payer });
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
  'account.payer': account.payer ?? account.id,
  ...account.captured,
});

/** Why nobody can pay for another one here, where the scenario wants that; or null. */
export const whyNoPayer = (card: Card, scenario: Scenario): string | null => {
  const paid = Object.entries(scenario.clients).find(([, { account }]) => account?.paidBy !== undefined);
  if (!paid || JSON.stringify(card.accounts?.create ?? []).includes('${account.payer}')) return null;
  return `the card of ${card.system} does not say how ${paid[1].account!.paidBy} would pay for ${paid[0]}`;
};
