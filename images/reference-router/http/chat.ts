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
const MARKER_LIMIT = 256;
const PATH = '/v1/chat/completions';

type Refusal = readonly [status: number, code: string, message: string];
const STOPPING: Refusal = [503, 'shutdown', 'the router is shutting down'];

type Asked = { readonly keyHash: string; readonly body: Buffer; readonly marker: string | null };

/** The body's `user`, by which an exchange is known upstream and in the ledger; undefined when the body is no object. */
const markerOf = (body: Buffer): string | null | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const user = 'user' in value ? value.user : null;
    return typeof user === 'string' ? user.slice(0, MARKER_LIMIT) : null;
  } catch {
    return undefined;
  }
};

const reserve = async (services: Services, { keyHash, marker }: Asked): Promise<ReserveResult | null> => {
  const { config, instance, ledger, log } = services;
  try {
    return await ledger.call('reserve', { keyHash, amount: config.reserve, marker, instance }, config.limits.settle);
  } catch (error) {
    log('error', 'reservation-failed', { marker, error: messageOf(error) });
    return null;
  }
};

/** Reserves, then either forwards or says why not. @returns the refusal as status, code and message; null when it is on its way */
const forward = async (
  services: Services, downstream: Downstream, request: IncomingMessage, asked: Asked, isStopping: () => boolean,
): Promise<Refusal | null> => {
  const arrivedAtMs = performance.now();
  const reserved = await reserve(services, asked);
  if (reserved === null) return [503, 'ledger-unavailable', 'the ledger cannot be reached, try again'];
  if (reserved.outcome === 'unknown-key') return [401, 'unknown-key', 'this key is not known'];
  if (reserved.outcome === 'insufficient-balance') return [402, 'insufficient-balance', 'the balance does not cover one request'];
  const { id, account } = reserved;
  if (!downstream.hasLeft() && !isStopping()) {
    const { body, marker } = asked;
    startExchange(services, downstream, { id, account, marker, arrivedAtMs, path: PATH, headers: request.headers, body });
    return null;
  }
  // Nothing was sent upstream yet, so nothing is owed; whoever is still there need not wait for the ledger to hear it.
  void services.settlements.settle({ id, cost: 0, reason: downstream.hasLeft() ? 'client-left' : 'shutdown' });
  return STOPPING;
};

export const handleChat = async (
  services: Services, request: IncomingMessage, response: ServerResponse, isStopping: () => boolean,
): Promise<void> => {
  // Watched from the first moment: a client may send its request and leave in the same breath.
  const downstream = createDownstream(request, response);
  response.once('finish', downstream.release);
  if (isStopping()) return refuse(response, ...STOPPING);
  const keyHash = keyHashOf(request);
  if (keyHash === null) return refuse(response, 401, 'no-key', 'send the key as a bearer token');
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === null) return refuse(response, 413, 'body-too-large', `a request may have ${BODY_LIMIT_BYTES} bytes at most`);
  const marker = markerOf(body);
  if (marker === undefined) return refuse(response, 400, 'bad-body', 'the body is not a JSON object');
  const refusal = await forward(services, downstream, request, { keyHash, body, marker }, isStopping);
  if (refusal !== null) refuse(response, ...refusal);
};
