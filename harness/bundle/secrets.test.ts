// One place for all secrets of an invocation: who hides which, and which are refused.
import { expect, it } from 'vitest';
import { secretsOf } from './looks-secret.ts';
import { checkSecret, createSecrets } from './secrets.ts';

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

it.each(['1234', '12-34', '127.0.0.3', '2.0 s', '1500ms', '+4 711', '2026-01-02', '12:34:56', '98%'])('refuses the short number %j, of which verdicts are full', (number) => {
  const secrets = createSecrets();
  expect(() => secrets.give(number, 'the secret "pin"')).toThrow(/the secret "pin" is a short number/);
  expect(() => checkSecret(number, '', 'a card: the secret "pin"')).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code: 'secret-is-number' })] }));
  // What only looks like one was never taken for one.
  expect(secretsOf('DOOR_PIN_KEY', number)).toEqual([]);
  expect(secrets.forBundle(STABLE).value({ evidence: [`probe.sockets#${number}`] })).toEqual({ evidence: [`probe.sockets#${number}`] });
});

it.each(['4929123456789012', '4929-1234-5678-9012', '1234a', '12f4-99'])('takes the long number %j, and what has letters', (secret) => {
  const secrets = createSecrets();
  secrets.give(secret);
  expect(secrets.forBundle(STABLE).text(`with ${secret}.`)).toBe('with [redacted].');
});

it('refuses what was given where it could not be hidden', () => {
  const secrets = createSecrets();
  for (const word of ['true', 'ledger', 'answer-ended']) expect(() => secrets.give(word)).toThrow(/stands in names, claims or words/);
  expect(() => secrets.give('abc')).toThrow();
  secrets.give('endless');
  expect(() => secrets.forBundle(STABLE)).toThrow(/stands in names, claims or words/);
});
