// One place for all secrets of an invocation: who hides which, and which are refused.
import { expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

const STABLE = '{"scenario":"disconnect/endless","card":"acme-router-2"}';

it('hides what was given everywhere, and what a bundle learns on the terminal too', () => {
  const secrets = createSecrets();
  secrets.give('hunter22-hunter');
  const one = secrets.forBundle(STABLE);
  const other = secrets.forBundle(STABLE);
  one.register('sk_account_of_one');
  expect(one.text('hunter22-hunter sk_account_of_one')).toBe('[redacted] [redacted]');
  expect(secrets.shown.text('hunter22-hunter sk_account_of_one')).toBe('[redacted] [redacted]');
  expect(other.text('hunter22-hunter sk_account_of_one')).toBe('[redacted] sk_account_of_one');
});

it('does not eat what a bundle is judged by for the sake of a value that only looks like a secret', () => {
  const secrets = createSecrets();
  secrets.find('acme-router-2');
  secrets.find('x9-tok-4411aa');
  expect(secrets.forBundle(STABLE).text('acme-router-2 x9-tok-4411aa')).toBe('acme-router-2 [redacted]');
  expect(secrets.shown.text('acme-router-2 x9-tok-4411aa'), 'on the terminal too, once it is known').toBe('acme-router-2 [redacted]');
  secrets.find('answer-ended');
  expect(secrets.shown.text('answer-ended')).toBe('answer-ended');
});

it('refuses what was given where it could not be hidden', () => {
  const secrets = createSecrets();
  for (const word of ['true', 'ledger', 'answer-ended']) expect(() => secrets.give(word)).toThrow(/stands in names, claims or words/);
  expect(() => secrets.give('abc')).toThrow();
  secrets.give('endless');
  expect(() => secrets.forBundle(STABLE)).toThrow(/stands in names, claims or words/);
});
