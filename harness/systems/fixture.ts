// For the tests beside it and of what stands above: small cards and scenarios, read by the real readers.
import { registries } from '../scenario/registries.ts';
import { parseScenarios } from '../scenario/load-scenarios.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import { resolveCell } from './cell.ts';
import type { Cell, CellInput } from './cell.ts';
import { parseCard } from './load-card.ts';

const CARD: Readonly<Record<string, string>> = {
  version: 'version: 1',
  system: 'system: small',
  run: 'run: [ { name: proxy, process: { command: [node, "${card}/proxy.js"] } } ]',
  listen: 'listen: { port: 8000 }',
  ready: 'ready: { http: / }',
  requests: 'requests: { chat: { method: POST, path: /v1/chat, body: { model: m }, marker: body.user } }',
};

const LEDGER =
  'ledger: { sqlite: "${dir}/l.db", accounts: SELECT 1, reservations: SELECT 1, terminal: [done], insert: { row: [ "INSERT ${row.id}" ], aggregate: [ "UPDATE ${aggregate.account}" ] } }';

/** What a metered card has beside the smallest one. */
export const METERED: Readonly<Record<string, string>> = {
  ledger: LEDGER,
  accounts: 'accounts: { create: [ { sql: "INSERT ${account.id}" } ], bearer: "${account.key}" }',
  periods: 'periods: { renewal: 500ms, lease: 1500ms, sweep: 1s }',
};

const SCENARIO: Readonly<Record<string, string>> = {
  version: 'version: 1',
  name: 'name: small',
  system: 'system: reference-router',
  upstreams: 'upstreams: { model: { endless: { every: 100ms } } }',
  clients: 'clients: { alice: { account: { balance: 10 }, script: [ request: chat, { disconnect: fin, mark: gone } ] } }',
  watch: 'watch: 1s',
  expect: 'expect: [ upstream-closed: { upstream: model, client: alice, after: gone, within: 2s }, process-alive ]',
};

const textOf = (base: Readonly<Record<string, string>>, parts: Readonly<Record<string, string>>): string =>
  `${Object.values({ ...base, ...parts })
    .filter((part) => part !== '')
    .join('\n')}\n`;

/** @param parts lines of YAML by their key; an empty one leaves the key out */
export const cardWith = (parts: Readonly<Record<string, string>> = {}, path = '/cards/small/system.yaml'): Card => {
  const { card, problems } = parseCard(path, textOf(CARD, parts));
  if (card === null) throw new Error(problems.map(({ message, hint }) => `${message} (${hint})`).join('; '));
  return card;
};

export const scenariosWith = (parts: Readonly<Record<string, string>> = {}, id = 'disconnect/small'): readonly Scenario[] =>
  parseScenarios(`${id}.yaml`, textOf(SCENARIO, parts), id, { registries });

export const scenarioWith = (parts: Readonly<Record<string, string>> = {}, id = 'disconnect/small'): Scenario =>
  scenariosWith(parts, id)[0]!;

export const cellWith = (
  scenario: Readonly<Record<string, string>> = {},
  card: Readonly<Record<string, string>> = METERED,
  input: Partial<CellInput> = {},
): Cell =>
  resolveCell({
    scenario: scenarioWith(scenario),
    card: cardWith(card),
    runtime: 'process',
    isolation: 'namespace',
    defects: [],
    presets: [],
    ...input,
  });
