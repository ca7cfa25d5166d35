// Headers as programs write them down: as pairs of a name and a value, folded, in lists over lines. The value is hidden, and nothing else.
import { expect, it } from 'vitest';
import { processorMs } from '../model/test-processor.ts';
import { createRedactor } from './redact.ts';
import { createRedactedStream } from './redact-stream.ts';

const HIDDEN: readonly (readonly [given: string, expected: string])[] = [
  ['{"name":"authorization","value":"Basic dXNlcg==","n":1}', '{"name":"authorization","value":"[redacted]","n":1}'],
  ['{"key":"Cookie","raw_value":"a=b; c","n":1}', '{"key":"Cookie","raw_value":"[redacted]","n":1}'],
  ['{"value":"Basic dXNlcg==","name":"authorization"}', '{"value":"[redacted]","name":"authorization"}'],
  ["{ name: 'authorization', value: 'Basic dXNlcg==' }, 1", "{ name: 'authorization', value: '[redacted]' }, 1"],
  ['{\n  "name": "authorization",\n  "value": "Basic dXNlcg=="\n}', '{\n  "name": "authorization",\n  "value": "[redacted]"\n}'],
  ['{\\"name\\":\\"authorization\\",\\"value\\":\\"Basic x\\",\\"n\\":1}', '{\\"name\\":\\"authorization\\",\\"value\\":[redacted]\\",\\"n\\":1}'],
  ['<header name="authorization" value="Basic dXNlcg=="/>', '<header name="authorization" value="[redacted]"/>'],
  ['{Name:authorization Value:Basic x}', '{Name:authorization Value:[redacted]'],
  ["[\n  'Authorization',\n  'Basic dXNlcg==',\n  'Accept', 'x'\n]", "[\n  'Authorization',\n  '[redacted]',\n  'Accept', 'x'\n]"],
  ['Authorization:\r\n Basic dXNlcg==\r\nAccept: x', 'Authorization:\r\n [redacted]\r\nAccept: x'],
  ['Cookie:\n  - a=b\nAccept: x', 'Cookie:\n  - [redacted]\nAccept: x'],
  ['"cookies": [{"name":"sid","value":"abc"}], "n": 1', '"cookies": [redacted], "n": 1'],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nAAA\n-----END PGP PRIVATE KEY BLOCK-----\n', '-----BEGIN PGP PRIVATE KEY BLOCK-----[redacted]\n\n-----END PGP PRIVATE KEY BLOCK-----\n'],
  ['x-functions-key: abcdef', 'x-functions-key: [redacted]'],
  ['{"X-Signing-Key":"abcdefgh","n":1}', '{"X-Signing-Key":"[redacted]","n":1}'],
  ['x-shopify-access-token: abc', 'x-shopify-access-token: [redacted]'],
  ['x-client-secret=abc', 'x-client-secret=[redacted]'],
  ['http.Header{"Authorization":[]string{"Basic dXNlcg=="}}', 'http.Header{"Authorization":[redacted]'],
  ['map[Authorization:[Basic dXNlcg==] Accept:[*/*]]', 'map[Authorization:[redacted] Accept:[*/*]]'],
  ['{"set-cookie": ["sid=a]b", \'c]d\'], "n": 1}', '{"set-cookie": [redacted], "n": 1}'],
  ['{\\"set-cookie\\":[\\"sid=a]b\\\\\\"]c\\"],\\"n\\":1}', '{\\"set-cookie\\":[redacted],\\"n\\":1}'],
  ['"cookies": {"sid":"a}b"}, "n": 1', '"cookies": [redacted], "n": 1'],
  ['- name: Authorization\n  value: Basic dXNlcg==\n- name: Accept\n  value: x', '- name: Authorization\n  value: [redacted]\n- name: Accept\n  value: x'],
  ['  key: Authorization\r\n  raw_value: "Basic dXNlcg=="\r\nn: 1', '  key: Authorization\r\n  raw_value: "[redacted]"\r\nn: 1'],
  ['- name: Cookie\n  values:\n  - sid=a\nn: 1', '- name: Cookie\n  values:\n  [redacted]\nn: 1'],
  ['{"name":"Set-Cookie","values":["sid=a"],"n":1}', '{"name":"Set-Cookie","values":[redacted],"n":1}'],
  ['{"values":["sid=a"],"name":"Set-Cookie"}', '{"values":[redacted],"name":"Set-Cookie"}'],
  ['  proxy_set_header Authorization "Basic dXNlcg==";\n  proxy_http_version 1.1;', '  proxy_set_header Authorization "[redacted]";\n  proxy_http_version 1.1;'],
  ["http-request set-header Authorization 'Basic dXNlcg==' if x", "http-request set-header Authorization '[redacted]' if x"],
  ["{'HTTP_AUTHORIZATION': 'Basic dXNlcg==', 'n': 1}", "{'HTTP_AUTHORIZATION': '[redacted]', 'n': 1}"],
  ['{\n  "value": "Basic dXNlcg==",\n  "name": "authorization"\n}', '{\n  "value": "[redacted]",\n  "name": "authorization"\n}'],
];

it.each(HIDDEN)('hides the value alone: %j', (given, expected) => {
  const redactor = createRedactor();
  expect(redactor.text(given)).toBe(expected);
  expect(redactor.text(expected), 'a second time changes nothing').toBe(expected);
});

it.each(HIDDEN)('hides it in a log that comes in pieces: %j', (given, expected) => {
  for (const length of [1, 2, 3, 5, 8, 13, 40]) {
    const stream = createRedactedStream(createRedactor());
    let written = '';
    for (let at = 0; at < given.length; at += length) written += stream.push(given.slice(at, at + length));
    expect(written + stream.end()).toBe(expected);
  }
});

it.each([
  'x-idempotency-key: 12', 'x-cache-key: /a/b', 'x-continuation-token: 3', '{"name":"accept","value":"text/plain"}', 'no cookie\nvalue: 3',
  'cookie:\n  secure: true\n  name: a', '"cookies": []', 'cookies: 3', 'monkey: 3', 'hot-key: 3', '{"value":"a","name":"b"}, "authorization"',
])('leaves alone: %j', (text) => {
  expect(createRedactor().text(text)).toBe(text);
  const stream = createRedactedStream(createRedactor());
  expect(stream.push(text) + stream.end()).toBe(text);
});

it('a terminal shows no header whose value comes later', () => {
  const stream = createRedactedStream(createRedactor(), { isLive: true });
  expect(stream.push('sent Authorization:')).toBe('sent ');
  expect(stream.push(' Basic dXNlcg==') + stream.push('\nnext\n')).toBe('Authorization: [redacted]\nnext\n');
  expect(stream.push('sent ["set-cookie", ["sid=a]') + stream.push('b"]]\n')).toBe('sent ["set-cookie", [redacted]]\n');
  expect(stream.push('set-header Cookie "si') + stream.push('d=a" if x\n')).toBe('set-header Cookie "[redacted]" if x\n');
  // And holds back no line that only speaks of one.
  for (const line of ['the authorization failed\n', 'no cookie, no api key\n', 'no cookie\n', '12 cookies\n', 'value="a"\n']) expect(stream.push(line)).toBe(line);
});

it('hides pairs in data, in whatever order, and nothing beside them', () => {
  const data = {
    headers: [
      { name: 'authorization', value: 'Basic x' }, { value: ['a=b'], comment: 'c', name: 'Set-Cookie' }, { key: 'x-functions-key', rawValue: 'k' }, { name: 'accept', value: 'y' },
    ],
    list: { name: 'Set-Cookie', values: ['a=b'] },
    cookies: [{ name: 'sid', value: 'abc', path: '/' }], jar: { cookies: { sid: 'abc' } }, value: 'plain', count: 5,
  };
  const expected = {
    headers: [
      { name: 'authorization', value: '[redacted]' }, { value: ['[redacted]'], comment: 'c', name: 'Set-Cookie' }, { key: 'x-functions-key', rawValue: '[redacted]' },
      { name: 'accept', value: 'y' },
    ],
    list: { name: 'Set-Cookie', values: ['[redacted]'] },
    cookies: [{ name: 'sid', value: '[redacted]', path: '/' }], jar: { cookies: { sid: '[redacted]' } }, value: 'plain', count: 5,
  };
  const redactor = createRedactor();
  expect(redactor.value(data)).toEqual(expected);
  expect(JSON.parse(redactor.json(data))).toEqual(expected);
});

it('looks through padded logs in one pass', () => {
  const padded = Array.from({ length: 600 }, () => `auth value="x${' '.repeat(190)}`).join('\n');
  const beganMs = processorMs();
  expect(createRedactor().text(padded)).toBe(padded);
  // Seconds, where each space is tried as the end of the value.
  expect(processorMs() - beganMs).toBeLessThan(600);
});

it('looks through long lists, open ones too, in one pass', () => {
  const open = `cookie: [${'"a", '.repeat(20_000)}`;
  const quotes = `cookie: [${`"it's `.repeat(20_000)}`;
  const values = `auth\n${'value="x",\n'.repeat(20_000)}`;
  const beganMs = processorMs();
  const redactor = createRedactor();
  for (const text of [open, quotes, values]) {
    redactor.text(text);
    const stream = createRedactedStream(redactor);
    for (let at = 0; at < text.length; at += 1_000) stream.push(text.slice(at, at + 1_000));
    stream.end();
  }
  expect(processorMs() - beganMs).toBeLessThan(3_000);
});
