// From an exchange to its socket: head, framed body, raw bytes. What is made in one turn goes out
// as one write, and there is never more than one write that the kernel has not taken.
import { nowMs } from '../harness/model/time.ts';
import { blocked, progressed, tellHead } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { LAST_CHUNK, chunkText, headText } from './http/answer.ts';

/**
 * Hands bytes to the socket; the exchange is blocked while the kernel has not taken all of them. What is
 * told of it is stamped with the moment before, so that no reader can seem to have had it earlier.
 */
export const hand = (exchange: Exchange, bytes: string | Buffer, ofBody = true): void => {
  const { socket, flushed } = exchange.link;
  const atMs = nowMs();
  if (typeof bytes === 'string') socket.write(bytes, 'latin1', flushed);
  else socket.write(bytes, flushed);
  // Refused at once (the peer has reset): the error event that follows tells of it.
  if (socket.errored) return;
  if (exchange.status > 0 && !exchange.headTold) tellHead(exchange, atMs);
  if (ofBody) progressed(exchange, atMs);
  if (socket.writableLength > 0 && exchange.blockedSinceMs === 0) blocked(exchange, atMs);
};

/** Hands over what the turn has made so far. */
export const flush = (exchange: Exchange): void => {
  if (exchange.pending === '') return;
  const text = exchange.pending;
  exchange.pending = '';
  hand(exchange, text, exchange.bytes > 0);
};

/** Adds bytes of the body, framed as the head announced. */
export const addBody = (exchange: Exchange, latin1: string): void => {
  if (latin1 === '' || exchange.bodyless || exchange.messageEnded) return;
  exchange.bytes += latin1.length;
  exchange.pending += exchange.framing === 'chunked' ? chunkText(latin1) : latin1;
};

/** Adds what stands before all else of the body, once. */
export const openBody = (exchange: Exchange): void => {
  if (exchange.opened) return;
  exchange.opened = true;
  addBody(exchange, exchange.format.opening(exchange));
};

/**
 * Adds the head. With `bodyBytes` the body's length is announced; otherwise it is chunked, or ends with
 * the connection where the request is of HTTP/1.0.
 */
export const addHead = (
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  bodyBytes: number | null,
): void => {
  const { format } = exchange;
  exchange.status = status;
  exchange.framing = bodyBytes !== null ? 'length' : exchange.chunks ? 'chunked' : 'until-close';
  if (exchange.framing === 'until-close') exchange.keepAlive = false;
  exchange.pending += headText(status, {
    'content-type': format.contentType,
    'cache-control': 'no-cache',
    ...headers,
    'content-length': bodyBytes === null ? undefined : String(bodyBytes),
    'transfer-encoding': exchange.framing === 'chunked' ? 'chunked' : undefined,
    connection: exchange.keepAlive ? 'keep-alive' : 'close',
  });
  if (bodyBytes === null && format.opensWith === 'head') openBody(exchange);
};

/** Ends the message as the head announced it. */
export const addEnd = (exchange: Exchange): void => {
  if (exchange.messageEnded) return;
  if (exchange.framing !== 'length') {
    openBody(exchange);
    addBody(exchange, exchange.format.closing(exchange, exchange));
  }
  if (exchange.framing === 'chunked' && !exchange.bodyless) exchange.pending += LAST_CHUNK;
  exchange.messageEnded = true;
};
