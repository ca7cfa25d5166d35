// Names of a card that look like headers with secrets are refused where they would be hidden, and nowhere else.
import { expect, test } from 'vitest';
import { parseCard } from './load-card.ts';

const CARD = `version: 1
system: small
axes: { http: { from: list, list: [a, b], use: a } }
run:
  - name: proxy
    process: { command: [node, "\${axis.http}.js"], env: { API_KEY: x } }
listen: { port: 8000 }
ready: { http: / }
settings: { api-key: { env: API_KEY } }
setup: [{ request: { method: POST, path: /, capture: { token: $.t, api-key: $.k } } }]
requests: { chat: { method: POST, path: /, headers: { cookie: a=b }, marker: header.x-id } }
defects: { env: DEFECTS, presets: { old: [one] } }
`;

test('headers, variables, captures and settings may be called so', () => {
  expect(parseCard('card.yaml', CARD).problems).toEqual([]);
});

test.each([
  ['the system', 'system: small', 'system: authorization', 2, 9],
  ['an axis', '{ http: {', '{ cookie: {', 3, 9],
  ['a process', 'name: proxy', 'name: x-auth-token', 5, 11],
  ['a request', '{ chat: {', '{ my-api-key: {', 11, 13],
  ['a preset', '{ old: [', '{ cookies: [', 12, 37],
  ['a defect', '[one]', '[bearer]', 12, 43],
])('%s may not', (_, from, to, line, column) => {
  const { card, problems } = parseCard('card.yaml', CARD.replace(from, to).replaceAll('axis.http', to.includes('cookie:') ? 'axis.cookie' : 'axis.http'));
  expect(card).toBeNull();
  expect(problems).toMatchObject([{ code: 'bad-name', location: { line, column } }]);
});
