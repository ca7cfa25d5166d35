// Faults that reach all open exchanges of an upstream, or those of one client only.
import type { Field, Options } from '../model/fields.ts';
import { textOption } from '../model/fields.ts';

export const ONE_CLIENT: Field = { type: 'client', about: 'Only the exchanges of this one.', optional: true };

/** What the upstreams' process is told, and how it is said. */
export const ofClient = (options: Options): { readonly which: { readonly client?: string }; readonly words: string } => {
  if (options.client === undefined) return { which: {}, words: '' };
  const client = textOption(options, 'client');
  return { which: { client }, words: ` of ${client}` };
};
