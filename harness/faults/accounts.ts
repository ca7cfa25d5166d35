// Whose account a fault writes to: only those that the scenario made.
import type { Options } from '../model/fields.ts';
import { textOption } from '../model/fields.ts';
import type { FaultContext } from './fault.ts';

/** @throws Error where that client has no account */
export const accountOf = (context: FaultContext, options: Options): { readonly client: string; readonly account: string } => {
  const client = textOption(options, 'account');
  const account = context.accountOf(client);
  if (account === null) throw new Error(`client ${client} has no account in the ledger`);
  return { client, account };
};
