// No registered secret survives, in any form, in any place; what is no secret stays readable.
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { createRedactedStream } from './redact-stream.ts';

const redactorOf = (...secrets: string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.register(secret);
  return redactor;
};

it.each([
  ['GET / HTTP/1.1\r\nAuthorization: Bearer abc.def\r\nAccept: */*', 'GET / HTTP/1.1\r\nAuthorization: [redacted]\r\nAccept: */*'],
  ['{"authorization":"Bearer abc","n":1}', '{"authorization":"[redacted]","n":1}'],
  ['{"x-api-key":"a\\"b","n":1}', '{"x-api-key":"[redacted]","n":1}'],
  ['["Cookie","a=b; c=d","Accept","x"]', '["Cookie","[redacted]","Accept","x"]'],
  ["'set-cookie': [ 'a=1', 'b=2' ], x: 1", "'set-cookie': [redacted], x: 1"],
  ['{\\"cookie\\":\\"a=b\\",\\"n\\":1}', '{\\"cookie\\":[redacted]\\",\\"n\\":1}'],
  ['OPENAI_API_KEY=hunter2 node x', 'OPENAI_API_KEY=[redacted]'],
  ['token was bearer abc, then', 'token was bearer [redacted], then'],
  ['key sk-abcdefgh12 used', 'key [redacted] used'],
  ['aws AKIAIOSFODNN7EXAMPLE.', 'aws [redacted].'],
  ['push with ghp_0123456789abcdefghijABCDEF', 'push with [redacted]'],
  ['jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl;', 'jwt=[redacted];'],
  ['postgres://app:s3cret@db:5432/x and redis://:pw@r/0', 'postgres://app:[redacted]@db:5432/x and redis://:[redacted]@r/0'],
  [
    '-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY-----\nnext',
    '-----BEGIN PRIVATE KEY-----[redacted]\n\n\n-----END PRIVATE KEY-----\nnext',
  ],
  ['{"pem":"-----BEGIN RSA PRIVATE KEY-----\\nMIIE', '{"pem":"-----BEGIN RSA PRIVATE KEY-----[redacted]'],
])('masks by shape: %s', (text, expected) => {
  const redactor = createRedactor();
  expect(redactor.text(text)).toBe(expected);
  expect(redactor.text(expected), 'a second time changes nothing').toBe(expected);
});

it.each([
  'cookies were not sent', 'disk-full and risk-averse-people', 'the authorization failed', 'key: sk-${account.id}', 'task sk-1',
  'http://127.0.0.1:9000/v1 by alice@example.com', 'ssh://git@host/x', 'eyJust a word', '-----BEGIN CERTIFICATE-----',
  'no cookie, no api key here',
])('leaves alone: %s', (text) => {
  expect(createRedactor().text(text)).toBe(text);
});

it('masks headers in data, also in lists of names and values, and keeps the rest', () => {
  const data = {
    headers: { Authorization: 'x', 'set-cookie': ['a', 'b'], accept: 'json' }, raw: ['COOKIE', 'a=b', 'accept', 'json'],
    count: 3, none: null, flag: false,
  };
  const expected = {
    headers: { Authorization: '[redacted]', 'set-cookie': ['[redacted]', '[redacted]'], accept: 'json' },
    raw: ['COOKIE', '[redacted]', 'accept', 'json'], count: 3, none: null, flag: false,
  };
  const redactor = createRedactor();
  expect(redactor.value(data)).toEqual(expected);
  expect(JSON.parse(redactor.json(data))).toEqual(expected);
});

it('finds a secret inside the base64 of more than itself', () => {
  const redactor = redactorOf('correct horse');
  for (const user of ['u', 'us', 'use', 'user']) {
    const basic = Buffer.from(`${user}:correct horse!`).toString('base64');
    expect(redactor.text(`Basic ${basic}`)).toContain('[redacted]');
  }
});

it('finds what is left of a secret that was cut short, and half of none that is short itself', () => {
  const redactor = redactorOf('gQ4vT9-zLm3Xk8Rw2Hs7', 'production-database-1', 'http://127.0.0.1:8000/long-enough');
  expect(redactor.text('{"error":"bad key gQ4vT9-zLm3Xk')).toBe('{"error":"bad key [redacted]');
  expect(redactor.text('...zLm3Xk8Rw2Hs7 is bad')).toBe('...[redacted] is bad');
  expect(redactor.text(Buffer.from('u:gQ4vT9-zLm3Xk8Rw').toString('base64'))).toContain('[redacted]');
  for (const text of ['gQ4vT9', 'production', 'database-1', 'http://127.0.0.1:8000/']) expect(redactor.text(text)).toBe(text);
});

it('finds lines of a private key, and bytes as programs print them', () => {
  const redactor = redactorOf('MIIEvQIBADANBgkqhkiG\nAASCBKcwggSjAgEAAoIB', 'gQ4vT9-zLm3');
  expect(redactor.text('12:00 | MIIEvQIBADANBgkqhkiG\n12:00 | AASCBKcwggSjAgEAAoIB\n')).toBe('12:00 | [redacted]\n12:00 | [redacted]\n');
  const bytes = Buffer.from('x gQ4vT9-zLm3');
  expect(redactor.text(inspect(bytes))).toBe('<Buffer 78 20 [redacted]>');
  expect(redactor.text(JSON.stringify(bytes))).toBe('{"type":"Buffer","data":[120,32,[redacted]]}');
});

it('leaves numbers, which are judged', () => {
  expect(redactorOf('12345678').json({ balance: 12345678, note: 'of 12345678' })).toBe('{"balance":12345678,"note":"of [redacted]"}');
});

it('refuses a secret that would hide everything', () => {
  expect(() => createRedactor().register('abc')).toThrow(/secret of 3 characters/);
});

it('masks a secret that is part of the mask itself', () => {
  expect(redactorOf('redacted').text('it was redacted here')).toBe('it was ******** here');
  expect(redactorOf('redacted', '****').text('a redacted **** b')).toBe('a   b');
});

const secret = fc.oneof(fc.string({ minLength: 4, maxLength: 30, unit: 'grapheme' }), fc.base64String({ minLength: 8, maxLength: 40 }));
const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
const encodings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => encodeURIComponent(secret),
  (secret) => new URLSearchParams({ s: secret }).toString(),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
  (secret) => JSON.stringify({ secret }),
  (secret) => JSON.stringify({ body: JSON.stringify([secret]) }),
];

it('lets no registered secret through, whatever stands around it', () => {
  fc.assert(fc.property(secrets, fc.string(), fc.string(), fc.nat(encodings.length - 1), (all, before, after, encoding) => {
    const redactor = redactorOf(...all);
    const text = before + all.map((secret) => encodings[encoding]!(secret)).join(after) + after;
    const inData = redactor.json({ [text]: [text, { text }] });
    for (const secret of all) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
        expect(redactor.text(text)).not.toContain(form);
        expect(JSON.stringify(JSON.parse(inData))).not.toContain(JSON.stringify(form).slice(1, -1));
      }
    }
  }), { numRuns: 300 });
});

it('lets none through when the text comes in pieces', () => {
  const lines = fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 });
  fc.assert(fc.property(secrets, lines, fc.array(fc.nat(12), { maxLength: 60 }), (all, around, sizes) => {
    const redactor = redactorOf(...all);
    const text = around.map((line, index) => line + all[index % all.length]! + (index % 3 === 0 ? '\n' : '')).join('');
    const stream = createRedactedStream(redactor);
    let written = '';
    let at = 0;
    for (const size of sizes) {
      written += stream.push(text.slice(at, at + size));
      at += size;
    }
    written += stream.push(text.slice(at)) + stream.end();
    for (const secret of all) expect(written).not.toContain(secret);
    if (!all.some((secret) => text.includes(secret))) expect(written).toBe(text);
  }), { numRuns: 300 });
});

it('holds back a header list that is open, and does not keep a log without line ends', () => {
  const stream = createRedactedStream(redactorOf('hunter2hunter2'));
  expect(stream.push('one\n"set-cookie": [\n  "a=1",\n')).toBe('one\n');
  expect(stream.push('  "b=2"\n]\ntwo\nthree\n') + stream.end()).toBe('"set-cookie": [redacted]\n\n\n\ntwo\nthree\n');
  const long = createRedactedStream(redactorOf('hunter2hunter2'));
  expect(long.push('x'.repeat(300_000)).length).toBeGreaterThan(250_000);
});
