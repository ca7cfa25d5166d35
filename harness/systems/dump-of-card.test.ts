// How a card says how a process is asked for a dump of itself.
import { expect, test } from 'vitest';
import { parseCard } from './load-card.ts';

const cardWith = (dump: string): string => `version: 1
system: small
run:
  - name: proxy
    process: { command: [node, proxy.js] }
    dump: ${dump}
listen: { port: 8000 }
ready: { http: / }
requests: { chat: { method: POST, path: /v1/chat/completions, body: { model: m }, marker: body.user } }
`;

const dumpOf = (dump: string): unknown => parseCard('card.yaml', cardWith(dump)).card?.run[0]!.dump;
const codesOf = (dump: string): readonly string[] => parseCard('card.yaml', cardWith(dump)).problems.map(({ code }) => code);

test('a signal or a command, with a time', () => {
  expect(dumpOf('{ signal: SIGUSR2 }')).toEqual({ signal: 'SIGUSR2', command: null, within: { ms: 5_000 } });
  expect(dumpOf('{ command: [gstack, "${pid}", "${dump}", "${dir}"], within: 2s }'))
    .toEqual({ signal: null, command: ['gstack', '${pid}', '${dump}', '${dir}'], within: { ms: 2_000 } });
});

test.each([
  ['neither', '{}', 'not-one-key'],
  ['both', '{ signal: SIGUSR2, command: [gstack] }', 'not-one-key'],
  ['a word that is no reference there', '{ command: [gstack, "${account.key}"] }', 'unknown-reference'],
])('%s is refused', (_, dump, code) => expect(codesOf(dump)).toEqual([code]));

test('what only a dump knows is known nowhere else', () => {
  const text = cardWith('{ signal: SIGUSR2 }').replace('proxy.js', '"${pid}"');
  expect(parseCard('card.yaml', text).problems.map(({ code }) => code)).toEqual(['unknown-reference']);
});
