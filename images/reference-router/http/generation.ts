// The routes that cost money: reserve first, then forward. What fails before the reservation costs
// nothing, and nothing is sent upstream without one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startExchange } from '../exchange/exchange.ts';
import type { ReserveResult } from '../ledger/reserve.ts';
import { messageOf } from '../log.ts';
import type { Services } from '../services.ts';
import { parseJson } from '../shapes/json.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Slot } from '../slots.ts';
import { keyHashOf, readBody, refuse } from './body.ts';
import type { Refusal } from './body.ts';
import { createDownstream } from './downstream.ts';
import type { Downstream } from './downstream.ts';
import { markerOf } from './marker.ts';
import { REPEATED, repeatKeyOf } from './repeats.ts';

const BODY_LIMIT_BYTES = 1_048_576;
const STOPPING: Refusal = [503, 'shutdown', 'the router is shutting down'];
const FULL: Refusal = [429, 'queue-full', 'too many requests are waiting already, try again'];

type Asked = {
  readonly keyHash: string;
  readonly body: Buffer;
  readonly marker: string | null;
  readonly repeatKey: string | null;
  readonly arrivedAtMs: number;
};

const reserve = async (services: Services, { keyHash, marker, repeatKey }: Asked): Promise<ReserveResult | null> => {
  const { config, ledger, log } = services;
  try {
    return await ledger.call('reserve', { keyHash, amount: config.reserve, marker, repeatKey }, config.limits.settle);
  } catch (error) {
    log('error', 'reservation-failed', { marker, error: messageOf(error) });
    return null;
  }
};

type Incoming = {
  readonly shape: Shape;
  readonly request: IncomingMessage;
  readonly downstream: Downstream;
  readonly isStopping: () => boolean;
};

/** Reserves, then either starts the exchange or says why not. @returns the refusal; null when it has been started */
const forward = async (
  services: Services, { shape, request, downstream, isStopping }: Incoming, asked: Asked, slot: Slot,
): Promise<Refusal | null> => {
  const reserved = await reserve(services, asked);
  if (reserved === null) return [503, 'ledger-unavailable', 'the ledger cannot be reached, try again'];
  if (reserved.outcome === 'unknown-key') return [401, 'unknown-key', 'this key is not known'];
  if (reserved.outcome === 'insufficient-balance') return [402, 'insufficient-balance', 'the balance does not cover one request'];
  if (reserved.outcome === 'repeated') return REPEATED[reserved.state];
  const { id, account } = reserved;
  if (!downstream.hasLeft() && !isStopping()) {
    const { body, marker, arrivedAtMs } = asked;
    const { path } = shape;
    startExchange(services, downstream, { id, account, marker, arrivedAtMs, shape, slot, path, headers: request.headers, body });
    return null;
  }
  // Nothing was sent upstream yet, so nothing is owed; whoever is still there need not wait for the ledger to hear it.
  void services.settlements.settle({ id, cost: 0, reason: downstream.hasLeft() ? 'client-left' : 'shutdown' });
  return STOPPING;
};

/** Everything before the exchange. @returns why there is none; null when it has been started */
const admit = async (services: Services, incoming: Incoming): Promise<Refusal | null> => {
  const { request, isStopping } = incoming;
  if (isStopping()) return STOPPING;
  const keyHash = keyHashOf(request);
  if (keyHash === null) return [401, 'no-key', 'send the key as a bearer token'];
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === null) return [413, 'body-too-large', `a request may have ${BODY_LIMIT_BYTES} bytes at most`];
  const value = parseJson(body.toString('utf8'));
  if (value === null) return [400, 'bad-body', 'the body is not a JSON object'];
  // Before the ledger is asked: whoever cannot be served is told so without any work.
  const slot = services.slots.take();
  if (slot === null) return FULL;
  const marker = markerOf(value);
  const repeatKey = repeatKeyOf(services, request, marker);
  const refusal = await forward(services, incoming, { keyHash, body, marker, repeatKey, arrivedAtMs: performance.now() }, slot);
  if (refusal !== null) slot.release();
  return refusal;
};

/** Serves one request of an API's shape. */
export const handleGeneration = async (
  services: Services, shape: Shape, request: IncomingMessage, response: ServerResponse, isStopping: () => boolean,
): Promise<void> => {
  // Watched from the first moment: a client may send its request and leave in the same breath.
  const downstream = createDownstream(request, response, shape);
  response.once('finish', downstream.release);
  const refusal = await admit(services, { shape, request, downstream, isStopping });
  if (refusal !== null) refuse(response, refusal, shape);
};
