// The turns of a client that asks the same again and again: of each, whether it came to what it asked for in the time that the client gave it.
import { wasReadToEnd } from '../../model/exchanges.ts';
import type { Exchange } from '../../model/exchanges.ts';
import { median } from '../../model/median.ts';
import { refusedTo } from './refused.ts';
import type { View } from './view.ts';

/** What a request may come to. */
type Deed = { readonly word: 'served' | 'answered'; readonly atMs: (exchange: Exchange) => number | undefined };

/** The n-th request of a client; of one with copies that of all of them, which may depend on one another and count once. */
export type Turn = { readonly all: readonly Exchange[]; readonly unserved: readonly Exchange[]; readonly isServed: boolean };

/** One question about one client. */
export type Asked = {
  readonly name: string;
  readonly word: Deed['word'];
  readonly turns: readonly Turn[];
  /** Of those that did not come to it: whoever left so soon may have left before its time. */
  readonly isHasty: (exchange: Exchange) => boolean;
};

/** When the client no longer waited for anything. */
export const endOf = (view: View, exchange: Exchange): number => exchange.left?.atMs ?? exchange.ended?.atMs ?? refusedTo(view, exchange)?.atMs ?? view.endMs;

/** A head alone is no answer. */
const answeredMs = (exchange: Exchange): number | undefined =>
  exchange.received.find(({ events }) => events > 0)?.atMs ?? (wasReadToEnd(exchange) ? exchange.ended!.atMs : undefined);

const answeredWellMs = (exchange: Exchange): number | undefined =>
  exchange.head !== undefined && exchange.head.status < 400 && (exchange.ended?.errorEvent ?? null) === null ? answeredMs(exchange) : undefined;

const earliest = (...times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** It got as far as an upstream, or was answered well without one; and where the way back is lost it gets there and is paid for, and nobody is answered. */
const DEEDS: readonly Deed[] = [
  { word: 'served', atMs: (exchange) => earliest(exchange.upstreams[0]?.received.atMs, answeredWellMs(exchange)) },
  { word: 'answered', atMs: answeredMs },
];

type Client = { readonly name: string; readonly turns: readonly (readonly Exchange[])[] };

/** Each by itself: of those that ask with different frequency, or from different accounts, one may starve beside the others. */
export const clientsOf = ({ facts: { copies = {} } }: View, exchanges: readonly Exchange[]): readonly Client[] => {
  const nameOf = ({ client }: Exchange): string => Object.keys(copies).find((name) => copies[name]!.includes(client)) ?? client;
  return [...Map.groupBy(exchanges, nameOf)].map(([name, all]) => {
    const members = [...Map.groupBy(all, ({ client }) => client).values()];
    return { name, turns: Array.from({ length: Math.min(...members.map((own) => own.length)) }, (_, turn) => members.map((own) => own[turn]!)) };
  });
};

/** How long it took in the first quarter: where their clients were still there for some, in those. */
const usualMsOf = (view: View, { turns }: Client, deed: Deed): number => {
  const taken = turns.slice(0, Math.floor(turns.length / 4)).flat().flatMap((exchange) => {
    const atMs = deed.atMs(exchange);
    return atMs === undefined ? [] : [{ tookMs: atMs - exchange.planned.atMs, isInTime: atMs <= endOf(view, exchange) }];
  });
  const inTime = taken.filter(({ isInTime }) => isInTime);
  return taken.length === 0 ? 0 : median((inTime.length > 0 ? inTime : taken).map(({ tookMs }) => tookMs));
};

/**
 * What comes later than its client left, and than it usually takes and a margin, was done for nobody: a queue of those who are gone is
 * still worked off. Whoever waits for less than that cannot tell a system that serves nobody from one that is a little slower.
 */
const askedOf = (view: View, client: Client, deed: Deed): Asked => {
  const enoughMs = usualMsOf(view, client, deed) + view.facts.marginMs;
  const waitedMs = (exchange: Exchange): number => endOf(view, exchange) - exchange.planned.atMs;
  const isServed = (exchange: Exchange): boolean => {
    const atMs = deed.atMs(exchange);
    return atMs !== undefined && atMs - exchange.planned.atMs <= Math.max(waitedMs(exchange), enoughMs);
  };
  const isHasty = (exchange: Exchange): boolean => {
    const { head, left, ended } = exchange;
    return deed.atMs(exchange) === undefined && (head?.status ?? 0) < 400 && left !== undefined && ended === undefined && waitedMs(exchange) <= enoughMs;
  };
  const turns = client.turns.map((all): Turn => {
    const unserved = all.filter((exchange) => !isServed(exchange));
    return { all, unserved, isServed: unserved.length * 2 <= all.length };
  });
  return { name: client.name, word: deed.word, turns, isHasty };
};

/** Whether its turns were served, and whether they were answered. */
export const questionsOf = (view: View, client: Client): readonly Asked[] => DEEDS.map((deed) => askedOf(view, client, deed));
