// What of a card is a secret: what it names as one, and what looks like one in its environments and headers. Asked
// again whenever more references can be filled in, and always before the values are used.
import { isTelling, secretsOf } from '../bundle/looks-secret.ts';
import { checkSecret } from '../bundle/secrets.ts';
import { isSecretHeader } from '../bundle/header-shapes.ts';
import type { Card, SetupStep } from './card.ts';
import type { Cell } from './cell.ts';
import type { Values } from './template.ts';

const REFERENCE = /\$\{([^}]+)\}/g;

/** Undefined while it refers to what is not known yet. */
const filled = (text: string, values: Values): string | undefined => {
  const names = [...text.matchAll(REFERENCE)].map((match) => match[1]!);
  if (names.some((name) => !Object.hasOwn(values, name))) return undefined;
  return text.replace(REFERENCE, (_, name: string) => String(values[name]));
};

type Named = { readonly name: string; readonly text: string };
const entriesOf = (map: Readonly<Record<string, string>> = {}): readonly Named[] =>
  Object.entries(map).map(([name, text]) => ({ name, text }));

const requestsOf = (steps: readonly SetupStep[]) => steps.flatMap((step) => ('request' in step ? [step.request] : []));

const environmentOf = ({ run }: Card): readonly Named[] =>
  run.flatMap(({ process, docker }) => [...entriesOf(process?.env), ...entriesOf(docker?.env), ...entriesOf(docker?.build?.args)]);

const capturesOf = ({ setup, accounts }: Card): readonly Named[] =>
  requestsOf([...setup, ...(accounts?.create ?? [])])
    .flatMap(({ capture }) => Object.keys(capture))
    .map((name) => ({ name, text: `\${${name}}` }));

const headersOf = ({ setup, accounts, requests, refund }: Card): readonly Named[] =>
  [...requestsOf([...setup, ...(accounts?.create ?? [])]), ...Object.values(requests), ...(refund ? [refund.request] : [])].flatMap(
    ({ headers }) => entriesOf(headers).filter(({ name }) => isSecretHeader(name)),
  );

/** Without `Bearer` before it: the key by itself is what gets around. */
const withoutScheme = (value: string): string => value.replace(/^\w+\s+/, '');

/** Texts by which a cell is judged and told apart: none of them may be hidden. */
export const stableTextOf = ({ id, card, runtime, facts, claims, scenario }: Cell): string =>
  JSON.stringify([id, card.system, runtime, facts, claims, scenario.matrix, scenario.catches, Object.keys(scenario.upstreams)]);

/**
 * Secrets of the card that can be told by these values; those that refer to others are left out.
 * @throws ProblemError `secret-too-common` for one that the card names
 */
export const secretsOfCard = (cell: Cell, values: Values): readonly string[] => {
  const { card } = cell;
  const stable = stableTextOf(cell);
  const variables = [...environmentOf(card), ...capturesOf(card), ...entriesOf(cell.settings)];
  const fill = (named: readonly Named[]): readonly Named[] =>
    named.flatMap(({ name, text }) => {
      const value = filled(text, values);
      return value === undefined ? [] : [{ name, text: value }];
    });
  const given = fill([
    ...variables.filter(({ name }) => card.secrets.includes(name)),
    ...card.secrets.filter((text) => text.includes('${')).map((text) => ({ name: text, text })),
  ]);
  for (const { name, text } of given) checkSecret(text, stable, `${card.file}: the secret "${name}"`);
  const headers = fill(headersOf(card)).flatMap(({ text }) => [text, withoutScheme(text)]);
  const found = [...fill(variables).flatMap(({ name, text }) => secretsOf(name, text)), ...headers.filter(isTelling)];
  return [...new Set([...given.map(({ text }) => text), ...found.filter((text) => !stable.includes(text))])];
};
