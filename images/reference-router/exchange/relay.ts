// Passes the upstream's answer on to the client, byte for byte, at the client's pace, and keeps the
// exchange's facts while doing so.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { messageOf } from '../log.ts';
import type { Part, Shape } from '../shapes/shape.ts';
import { openWithRetries } from './attempts.ts';
import type { Exchange, ExchangeInput } from './exchange.ts';
import { createBodyMeter, createEventMeter, createFreeMeter } from './meter.ts';
import type { Meter } from './meter.ts';

const PASSED_ON = ['content-type', 'content-length', 'cache-control', 'retry-after', 'x-request-id'] as const;

const headersFor = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));

const meterFor = (shape: Shape, status: number, headers: IncomingHttpHeaders): Meter => {
  if (status >= 400) return createFreeMeter();
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '') ? createEventMeter(shape) : createBodyMeter(shape);
};

const note = (exchange: Exchange, parts: readonly Part[]): void => {
  const { facts, services } = exchange;
  for (const part of parts) {
    if (part.kind === 'content') facts.events += 1;
    if (part.kind === 'usage') facts.usage = part.usage ?? null;
    if (services.behaviour.isProgress(part.kind)) facts.progressAtMs = performance.now();
  }
};

const deliver = (exchange: Exchange, chunk: Buffer): void => {
  const { facts, downstream, services } = exchange;
  if (downstream.write(chunk)) return;
  if (services.behaviour.waitsForClient(downstream.pendingBytes())) exchange.upstream?.pause();
  if (facts.blockedSinceMs !== null) return;
  facts.blockedSinceMs = performance.now();
  exchange.watchdog.arm();
};

/**
 * Lets the upstream go on that waited for the client.
 * The time in which nothing could move is taken out of the progress deadline, not forgiven altogether.
 */
export const unblock = (exchange: Exchange): void => {
  const { facts } = exchange;
  if (facts.blockedSinceMs === null) return;
  const now = performance.now();
  facts.progressAtMs += now - facts.blockedSinceMs;
  facts.lastByteAtMs = now;
  facts.blockedSinceMs = null;
  exchange.upstream?.resume();
  exchange.watchdog.arm();
};

const finish = (exchange: Exchange, meter: Meter, status: number): void => {
  const { facts, downstream } = exchange;
  note(exchange, meter.finish());
  facts.upstreamEnded = true;
  if (!exchange.delivers) return exchange.end('client-left');
  // The end of the answer has to be taken as well, within the send bound.
  facts.blockedSinceMs ??= performance.now();
  exchange.watchdog.arm();
  downstream.finish(() => exchange.end(status >= 400 ? 'upstream-refused' : 'finished'));
};

/** Sends the request upstream and wires its answer to the client. */
export const connect = (exchange: Exchange, input: ExchangeInput): void => {
  const { facts, downstream, services } = exchange;
  let meter = createFreeMeter();
  let status = 0;
  const fail = (error: string): void => {
    services.log('warning', 'upstream-failed', { reservation: exchange.id, marker: exchange.marker, error });
    services.behaviour.onUpstreamFailed(exchange);
  };
  facts.sentAtMs = performance.now();
  downstream.onTaken(() => {
    if (!facts.ended && exchange.delivers) unblock(exchange);
  });
  openWithRetries(exchange, input, {
    onHead: (code, headers) => {
      status = code;
      facts.headAtMs = facts.lastByteAtMs = facts.progressAtMs = performance.now();
      meter = meterFor(exchange.shape, code, headers);
      if (exchange.delivers) downstream.head(code, headersFor(headers));
      exchange.watchdog.arm();
    },
    onData: (chunk) => {
      facts.lastByteAtMs = performance.now();
      try {
        note(exchange, meter.push(chunk));
      } catch (error) {
        return fail(messageOf(error));
      }
      if (exchange.delivers) deliver(exchange, chunk);
    },
    onEnd: () => finish(exchange, meter, status),
    onFailed: fail,
  });
};
