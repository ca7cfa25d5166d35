// A card's request for one exchange: where the marker goes, who pays, and what the card may override.
import { expect, test } from 'vitest';
import { ProblemError } from '../model/problem.ts';
import { cardWith, METERED } from './fixture.ts';
import { buildRequest } from './requests.ts';

const ACCOUNT = { id: 'acct-alice', key: 'sk-abcdefgh', balance: 10 };
const requests = (text: string): Readonly<Record<string, string>> => ({ ...METERED, requests: `requests: { chat: ${text} }` });
const build = (parts: Readonly<Record<string, string>>, account: typeof ACCOUNT | null = ACCOUNT) =>
  buildRequest(cardWith(parts), 'chat', 'hx.alice.1.00', account ?? undefined, { port: 8000 });

test('the marker goes into the body, as deep as the card says, beside what is there', () => {
  const { body, headers, path, method, marker } = build(
    requests('{ method: POST, path: /v1, body: { model: m, port: "${port}", metadata: { kept: 1 } }, marker: body.metadata.user }'),
  );
  expect(JSON.parse(body)).toEqual({ model: 'm', port: 8000, metadata: { kept: 1, user: 'hx.alice.1.00' } });
  expect({ headers, path, method, marker }).toEqual({
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-abcdefgh' },
    path: '/v1',
    method: 'POST',
    marker: 'hx.alice.1.00',
  });
});

test('or into a header, or the query; a request without a body says nothing of its type', () => {
  expect(build(requests('{ method: GET, path: /v1, marker: header.x-request-id }'))).toMatchObject({
    body: '',
    headers: { 'x-request-id': 'hx.alice.1.00', authorization: 'Bearer sk-abcdefgh' },
  });
  expect(build(requests('{ method: GET, path: /v1, marker: query.id }'))).toMatchObject({
    path: '/v1?id=hx.alice.1.00',
    headers: { authorization: expect.any(String) },
  });
  expect(build(requests('{ method: GET, path: "/v1?a=1", marker: query.id }')).path).toBe('/v1?a=1&id=hx.alice.1.00');
  expect(build(requests('{ method: GET, path: /v1, marker: query.id }')).headers).not.toHaveProperty('content-type');
});

test("the card's headers take the place of ours, however they are spelled", () => {
  const { headers, body } = build(
    requests(
      '{ method: POST, path: /, headers: { Content-Type: text/plain, Authorization: "Key ${account.id}" }, ' +
        'body: "say ${marker}", marker: header.x-id }',
    ),
  );
  expect(headers).toEqual({ 'Content-Type': 'text/plain', Authorization: 'Key acct-alice', 'x-id': 'hx.alice.1.00' });
  expect(body).toBe('say hx.alice.1.00');
});

test('no account, no authorization', () => {
  expect(build(METERED, null).headers).not.toHaveProperty('authorization');
  expect(build({}).headers).not.toHaveProperty('authorization');
});

test('what an account captured when it was created is known to its requests', () => {
  const card = cardWith({
    ...METERED,
    accounts: 'accounts: { create: [ { request: { method: POST, path: /keys, capture: { token: $.key } } } ], bearer: "${token}" }',
  });
  const request = buildRequest(card, 'chat', 'm', { ...ACCOUNT, captured: { token: 'given-by-it' } } as never, {});
  expect(request.headers.authorization).toBe('Bearer given-by-it');
});

test.each(['chta', 'constructor'])('a request that the card does not have: %s', (name) => {
  expect(() => buildRequest(cardWith(), name, 'm', undefined, {})).toThrow(ProblemError);
  expect(() => buildRequest(cardWith(), name, 'm', undefined, {})).toThrow(`has no request "${name}"`);
});
