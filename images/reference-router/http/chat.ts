// POST /v1/chat/completions: reserve first, then forward. What fails before the reservation costs
// nothing, and nothing is sent upstream without one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startExchange } from '../exchange/exchange.ts';
import type { ReserveResult } from '../ledger/reserve.ts';
import { messageOf } from '../log.ts';
import type { Services } from '../services.ts';
import { keyHashOf, readBody, refuse } from './body.ts';
import { createDownstream } from './downstream.ts';
import type { Downstream } from './downstream.ts';

const BODY_LIMIT_BYTES = 1_048_576;

type Asked = { readonly body: Buffer; readonly marker: string | null };

const parse = (body: Buffer): Asked | null => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const user = 'user' in value ? value.user : null;
    return { body, marker: typeof user === 'string' ? user.slice(0, 256) : null };
  } catch {
    return null;
  }
};

const reserve = async (services: Services, keyHash: string, marker: string | null): Promise<ReserveResult | null> => {
  const { config, instance, ledger, log } = services;
  try {
    return await ledger.call('reserve', { keyHash, amount: config.reserve, marker, instance }, config.limits.settle);
  } catch (error) {
    log('error', 'reservation-failed', { marker, error: messageOf(error) });
    return null;
  }
};

const forward = async (services: Services, downstream: Downstream, request: IncomingMessage, response: ServerResponse, asked: Asked, keyHash: string, isStopping: () => boolean): Promise<void> => {
  const arrivedAtMs = performance.now();
  const reserved = await reserve(services, keyHash, asked.marker);
  if (reserved === null) return refuse(response, 503, 'ledger-unavailable', 'the ledger cannot be reached, try again');
  if (reserved.outcome === 'unknown-key') return refuse(response, 401, 'unknown-key', 'this key is not known');
  if (reserved.outcome === 'insufficient-balance') return refuse(response, 402, 'insufficient-balance', 'the balance does not cover one request');
  const reason = downstream.hasLeft() ? 'client-left' : isStopping() ? 'shutdown' : null;
  if (reason === null) {
    const { id, account } = reserved;
    startExchange(services, downstream, { ...asked, id, account, arrivedAtMs, path: '/v1/chat/completions', headers: request.headers });
    return;
  }
  refuse(response, 503, reason, 'the router is shutting down');
  await services.settlements.settle({ id: reserved.id, cost: 0, reason });
};

export const handleChat = async (services: Services, request: IncomingMessage, response: ServerResponse, isStopping: () => boolean): Promise<void> => {
  // Watched from the first moment: a client may send its request and leave in the same breath.
  const downstream = createDownstream(request, response);
  response.once('finish', downstream.release);
  if (isStopping()) return refuse(response, 503, 'shutdown', 'the router is shutting down');
  const keyHash = keyHashOf(request);
  if (keyHash === null) return refuse(response, 401, 'no-key', 'send the key as a bearer token');
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === null) return refuse(response, 413, 'body-too-large', `a request may have ${BODY_LIMIT_BYTES} bytes at most`);
  const asked = parse(body);
  if (asked === null) return refuse(response, 400, 'bad-body', 'the body is not a JSON object');
  await forward(services, downstream, request, response, asked, keyHash, isStopping);
};
