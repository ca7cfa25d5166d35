// What of a card is hidden: what it names, what looks like a secret, and nothing that its runs are judged by.
import { describe, expect, it } from 'vitest';
import { secretsOfCard } from './card-secrets.ts';
import type { Card } from './card.ts';
import { cellWith } from './fixture.ts';
import { parseCard } from './load-card.ts';

const CARD = `version: 1
system: acme
secrets: [PLAIN, account-token, "Basic \${pair}"]
run:
  - name: router
    process:
      command: [node]
      env: { PLAIN: ordinary, ADMIN_TOKEN: "x9-tok-4411aa", DB: "postgres://a:Pw-123456@db/x", SALT_KEY: acme, MODE: production }
    docker: { image: x, env: { DOCKER_SECRET: "qX7-qX7-zz" } }
listen: { port: 8000 }
ready: { http: / }
setup:
  - request:
      { method: POST, path: /login, headers: { x-api-key: "static-key-77" }, capture: { pair: $.pair, id: $.id, session-token: $.t } }
accounts:
  create: [{ request: { method: POST, path: /keys, capture: { account-token: $.token } } }]
  bearer: "\${account-token}"
requests:
  chat: { method: POST, path: /v1, headers: { authorization: "Bearer fixed-bearer-1" }, body: {}, marker: body.user }
`;

const cardOf = (text: string): Card => {
  const { card, problems } = parseCard('card.yaml', text);
  if (card === null) throw new Error(problems.map(({ message }) => message).join('; '));
  return card;
};
const secrets = (values: Readonly<Record<string, string>>, text = CARD): readonly string[] => {
  const cell = cellWith({});
  return secretsOfCard({ ...cell, card: cardOf(text) }, values);
};

describe('a card', () => {
  it('hides what is written in it, before anything is known', () => {
    const expected = ['ordinary', 'x9-tok-4411aa', 'Pw-123456', 'qX7-qX7-zz', 'static-key-77', 'Bearer fixed-bearer-1', 'fixed-bearer-1'];
    expect([...secrets({})].sort()).toEqual([...expected].sort());
  });

  it('hides what set-up captures, once it has: what it names, and what looks like a secret', () => {
    const found = secrets({ pair: 'dXNlcjpwYXNz', id: 'user-1234-abcd', 'session-token': 'st-55-66-77aa', 'account-token': 'short' });
    expect(found).toEqual(expect.arrayContaining(['Basic dXNlcjpwYXNz', 'st-55-66-77aa', 'short']));
    expect(found).not.toContain('user-1234-abcd');
  });

  it('refuses to hide a word of every record', () => {
    expect(() => secrets({}, CARD.replace('PLAIN: ordinary', 'PLAIN: ledger'))).toThrow(/card\.yaml: the secret "PLAIN"/);
  });

  it('is refused where it names what nobody has', () => {
    const { problems } = parseCard('card.yaml', CARD.replace('[PLAIN,', '[PLAN,'));
    expect(problems).toMatchObject([{ code: 'unknown-name', location: { line: 3 }, hint: expect.stringContaining('PLAIN') }]);
    expect(parseCard('card.yaml', CARD.replace('${pair}', '${pear}')).problems).toMatchObject([{ code: 'unknown-reference' }]);
  });
});
