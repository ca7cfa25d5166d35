// What is only a name of something that is filled in later is no secret: a card without it could not be used again. All else that stands
// in such a place is one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { createRedactedStream } from './redact-stream.ts';

/** Where somebody waits, half of a name is written already: what hides the rest is the name as a whole. */
const inPieces = (text: string, isLive: boolean): string => {
  const stream = createRedactedStream(createRedactor(), { isLive });
  const named = isLive ? /^.*?(?:api-key|authorization|cookie)[\\"']*:?/.exec(text)?.[0] ?? '' : '';
  let written = stream.push(named);
  for (const character of text.slice(named.length)) written += stream.push(character);
  return written + stream.end();
};

const STAY = [
  'headers: { x-api-key: "${account.key}", accept: a }\n',
  "headers: { authorization: 'Bearer ${secret.token}' }",
  'authorization: Bearer ${account.key}\n',
  'authorization: "basic ${secret.user}:${secret.word}"\n',
  'authorization:\n  - "Bearer ${account.key}"\n',
  'cookie: "session=${session}; other=${other}"\n',
  '{ name: x-api-key, value: "${account.key}" }\n',
  'body: \'{"x-api-key":"${account.key}"}\'\n',
  'body: "{\\"authorization\\": \\"Bearer ${account.key}\\"}"\n',
  'URL: postgres://app:${secret.word}@db:5432/app\n',
  '- disconnect: "${cookie:none}"\n',
];

it.each(STAY)('stays: %j', (text) => {
  expect(createRedactor().text(text)).toBe(text);
  for (const isLive of [true, false]) expect(inPieces(text, isLive)).toBe(text);
});

it.each([
  ['x-api-key: "${account.key}-and-more"\n', 'x-api-key: "[redacted]"\n'],
  ['x-api-key: "${KEY:-hunter22}"\n', 'x-api-key: "[redacted]"\n'],
  ['x-api-key: ${account.key} hunter22\n', 'x-api-key: [redacted]\n'],
  ['x-api-key: $account\n', 'x-api-key: [redacted]\n'],
  ['authorization: hunter22 ${account.key}\n', 'authorization: [redacted]\n'],
  ['cookie: "session=${session}; other=hunter22"\n', 'cookie: "[redacted]"\n'],
  ['URL: postgres://app:${secret.word}hunter22@db\n', 'URL: postgres://app:[redacted]@db\n'],
])('is hidden, with whatever stands beside it: %j', (text, expected) => {
  expect(createRedactor().text(text)).toBe(expected);
  // That an address holds a password is known by what stands behind it.
  for (const isLive of text.includes('@') ? [false] : [true, false]) expect(inPieces(text, isLive)).toBe(expected);
});

it('a registered secret is hidden, whatever it looks like', () => {
  const redactor = createRedactor();
  redactor.register('${account.key}');
  expect(redactor.text('x-api-key: "${account.key}"\n')).toBe('x-api-key: "[redacted]"\n');
});

const root = join(import.meta.dirname, '../..');
const shipped = ['images', 'scenarios'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml') && !name.includes('node_modules')).map((name) => join(folder, name)),
);

it('of the cards and scenarios that are given along nothing is hidden: evidence holds them word for word', () => {
  expect(shipped.length).toBeGreaterThan(20);
  for (const name of shipped) {
    const text = readFileSync(join(root, name), 'utf8');
    expect(createRedactor().text(text), name).toBe(text);
  }
});
