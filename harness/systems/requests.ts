// The card's requests, filled in for one exchange: account key, marker where the card wants it.
import type { OutgoingRequest } from '../clients/step.ts';
import { problem } from '../model/problem.ts';
import type { Card } from './card.ts';
import { accountValues } from './accounts.ts';
import type { RunAccount } from './accounts.ts';
import { fillDeep, fillMap, fillText } from './template.ts';
import type { Values } from './template.ts';

const setDeep = (body: unknown, path: readonly string[], value: string): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  return { ...map, [key]: setDeep(map[key], rest, value) };
};

const withAuthorization = (card: Card, account: RunAccount | undefined, values: Values): Record<string, string> =>
  account && card.accounts ? { authorization: `Bearer ${fillText(card.accounts.bearer, values, 'bearer')}` } : {};

/**
 * Fills `request: <name>` of the card for one exchange.
 * @throws ProblemError `unknown-request` naming those the card has
 */
export const buildRequest = (card: Card, name: string, marker: string, account: RunAccount | undefined, given: Values): OutgoingRequest => {
  const request = card.requests[name];
  if (!request) {
    throw problem('scenario', 'unknown-request', `${card.file} has no request "${name}"`, { hint: `it has: ${Object.keys(card.requests).join(', ')}` });
  }
  const values: Values = { ...given, marker, ...(account ? accountValues(account) : {}) };
  const [place, ...path] = request.marker.split('.');
  const filled = request.body === undefined ? undefined : fillDeep(request.body, values, `request ${name}`);
  const body = place === 'body' ? setDeep(filled, path, marker) : filled;
  const target = fillText(request.path, values, `request ${name}`);
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: request.method,
    path: place === 'query' ? `${target}${target.includes('?') ? '&' : '?'}${path.join('.')}=${marker}` : target,
    headers: {
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      ...withAuthorization(card, account, values),
      ...fillMap(request.headers, values, `request ${name}`),
      ...(place === 'header' ? { [path.join('.')]: marker } : {}),
    },
    body: text,
    marker,
  };
};
