// The card's requests, filled in for one exchange: account key, marker where the card wants it.
import type { OutgoingRequest } from '../clients/step.ts';
import { problem } from '../model/problem.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Card } from './card.ts';
import { accountValues } from './accounts.ts';
import type { RunAccount } from './accounts.ts';
import { fillRequest } from './ask-system.ts';
import { fillText } from './template.ts';
import type { Values } from './template.ts';

const setDeep = (body: unknown, path: readonly string[], value: string): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  return { ...map, [key]: setDeep(map[key], rest, value) };
};

/** What requests on behalf of an account carry. */
export const authorizationOf = (card: Card, values: Values): Record<string, string> =>
  card.accounts ? { authorization: `Bearer ${fillText(card.accounts.bearer, values, 'bearer')}` } : {};

/**
 * Fills `request: <name>` of the card for one exchange.
 * @throws ProblemError `unknown-request` naming those the card has
 */
export const buildRequest = (card: Card, name: string, marker: string, account: RunAccount | undefined, given: Values): OutgoingRequest => {
  const request = Object.hasOwn(card.requests, name) ? card.requests[name] : undefined;
  if (!request) {
    throw problem('scenario', 'unknown-request', `${card.file} has no request "${name}"`, {
      hint: `it has: ${Object.keys(card.requests).join(', ')}`,
    });
  }
  const values: Values = { ...given, marker, ...(account ? accountValues(account) : {}) };
  const [place, ...path] = request.marker.split('.');
  const marked = place === 'body' ? { ...request, body: setDeep(request.body, path, marker) } : request;
  const filled = fillRequest(marked, values, `request ${name}`, account ? authorizationOf(card, values) : {});
  return {
    ...filled,
    path: place === 'query' ? `${filled.path}${filled.path.includes('?') ? '&' : '?'}${path.join('.')}=${marker}` : filled.path,
    headers: { ...filled.headers, ...(place === 'header' ? { [path.join('.')]: marker } : {}) },
    marker,
  };
};

/** Why a scenario cannot be driven through this card, or null: a card for one API has no requests of another. */
export const whyNoRequest = (card: Card, { clients }: Pick<Scenario, 'clients'>): string | null => {
  const missing = Object.values(clients)
    .flatMap(({ script }) => script)
    .find(({ kind, options }) => kind === 'request' && !Object.hasOwn(card.requests, String(options.name)));
  return missing ? `the card of ${card.system} has no request ${String(missing.options.name)}` : null;
};
