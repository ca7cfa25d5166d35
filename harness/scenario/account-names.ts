// Whose accounts the clients of a scenario use, and who pays for them: names of clients that have an account of their own.
import type { ClientNames } from './copies.ts';
import type { Finding } from './issues.ts';
import { undefinedName } from './marks.ts';
import { asMap, asText } from './raw-items.ts';
import type { Data } from './raw-items.ts';
import type { Path } from './tree.ts';

/** A copy has the account of its group. */
const accountOf = (data: Data, client: string): Data =>
  asMap(asMap(asMap(data.clients)[client] ?? asMap(data.clients)[client.replace(/-\d+$/, '')]).account);

const badValue = (message: string, hint: string, path: Path): Finding => ({ code: 'bad-value', message, hint, path, at: 'value' });

const noBalance = (path: Path): Finding => ({
  code: 'missing-key',
  message: '`balance` is missing',
  hint: 'write { balance: 10000 }, or { same-as: alice }',
  path,
  at: 'owner',
});

/** The other client that an account names must have one of its own. */
const checkOwner = (data: Data, client: string, key: 'same-as' | 'paid-by', { members }: ClientNames): readonly Finding[] => {
  const path = ['clients', client, 'account', key];
  const other = asText(accountOf(data, client)[key]);
  if (other === undefined) return [];
  if (!members.includes(other)) return [undefinedName('client', other, members, path)];
  const owner = accountOf(data, other);
  if (owner.balance === undefined || other === client)
    return [badValue(`\`${other}\` has no account of its own`, 'name a client whose account has a balance', path)];
  return key === 'same-as' || owner['paid-by'] === undefined
    ? []
    : [badValue(`\`${other}\` does not pay for itself`, `name who pays for it: ${String(owner['paid-by'])}`, path)];
};

export const checkAccounts = (data: Data, clients: ClientNames): readonly Finding[] =>
  Object.entries(asMap(data.clients)).flatMap(([client, value]): readonly Finding[] => {
    const { account } = asMap(value);
    if (account === undefined || account === null || typeof account !== 'object') return [];
    const path = ['clients', client, 'account'];
    const { balance, 'same-as': sameAs, 'paid-by': paidBy } = asMap(account);
    if (sameAs === undefined) return [...(balance === undefined ? [noBalance(path)] : []), ...checkOwner(data, client, 'paid-by', clients)];
    const both = paidBy === undefined ? [] : [badValue('who pays is said where the account is', 'leave `paid-by` out here', [...path, 'paid-by'])];
    return [...both, ...checkOwner(data, client, 'same-as', clients)];
  });
