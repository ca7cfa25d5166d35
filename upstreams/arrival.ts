// What arrives on a connection: bytes become requests, requests become exchanges that wait their turn.
import { nowMs } from '../harness/model/time.ts';
import { choose } from './choice.ts';
import { createExchange } from './exchange.ts';
import { refusal } from './http/head.ts';
import { createParser, feed, isPartial } from './http/parser.ts';
import type { Item } from './http/parser.ts';
import { advance, refuseInTurn } from './link.ts';
import type { Link } from './link.ts';

const MOST_QUEUED = 16;

const receiveRequest = (link: Link, { head, body }: Extract<Item, { kind: 'request' }>): void => {
  const { upstream } = link;
  const choice = choose(upstream, head, body);
  upstream.requests += 1;
  const number = upstream.requests;
  upstream.ledger.note(upstream.actor, {
    type: 'request-received', connection: link.number, exchange: number, marker: choice.marker,
    method: head.method, path: head.target, bodyBytes: body.length, behaviour: choice.kind,
  });
  const request = { chunks: head.minor === 1, bodyless: head.method === 'HEAD', keepAlive: head.keepAlive };
  const { shape } = choice;
  const format = choice.whole ? shape.whole : shape.stream;
  link.queue.push(createExchange(link, number, choice.marker, [shape, format], request, choice.program));
};

/** Takes in bytes of the peer, and answers what they complete. */
export const receive = (link: Link, chunk: Buffer): void => {
  if (link.deaf) return;
  const parser = (link.parser ??= createParser(link.upstream.limits));
  for (const item of feed(parser, chunk)) {
    if (item.kind === 'request') receiveRequest(link, item);
    else if (item.kind === 'continue') link.queue.push('continue');
    else refuseInTurn(link, item.refusal);
    advance(link);
    if (link.outcome?.by === 'self') return;
    if (link.queue.length > MOST_QUEUED) return refuseInTurn(link, refusal(400, 'too many requests at once on one connection'));
  }
  if (isPartial(parser)) {
    if (link.deadlineMs > 0) return;
    link.deadlineMs = nowMs() + link.upstream.limits.arrivalMs;
    link.upstream.tended.add(link);
  } else {
    link.parser = null;
    link.deadlineMs = 0;
  }
};
