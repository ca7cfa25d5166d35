// One request and its answer, put together from what client and upstream said about it. The marker
// ties the two; at the upstream the number of the exchange and of its connection tie the facts.
import { memoized } from './memo.ts';
import type { FactType, Observation, ObservationOf } from './observation.ts';
import type { Timeline } from './timeline.ts';

/** One request as an upstream had it. A retry is another one with the same marker. */
export type Upstream = {
  readonly name: string;
  readonly received: ObservationOf<'request-received'>;
  readonly opened: ObservationOf<'connection-opened'> | undefined;
  readonly head: ObservationOf<'head-written'> | undefined;
  /** Totals as they grew, the end's last. */
  readonly progress: readonly ObservationOf<'answer-progress'>[];
  readonly ended: ObservationOf<'answer-ended'> | undefined;
  /** The system ended it: its FIN or RST was read, or the upstream found its socket gone. */
  readonly closed: ObservationOf<'peer-closed'> | ObservationOf<'answer-ended'> | undefined;
};

export type Exchange = {
  readonly marker: string;
  readonly client: string;
  readonly account: string | null;
  readonly planned: ObservationOf<'exchange-planned'>;
  readonly written: ObservationOf<'request-written'> | undefined;
  /** The client's connection that carried it. */
  readonly connected: ObservationOf<'connected'> | undefined;
  readonly head: ObservationOf<'response-head'> | undefined;
  readonly received: readonly ObservationOf<'received'>[];
  readonly ended: ObservationOf<'response-ended'> | undefined;
  readonly left: ObservationOf<'left'> | undefined;
  /** Every time it was asked of an upstream, in order. */
  readonly upstreams: readonly Upstream[];
};

type Index = { readonly find: <T extends FactType>(type: T, key: string) => readonly ObservationOf<T>[] };

const keyOf = (seen: Observation): string => {
  if ('exchange' in seen && seen.type !== 'request-received' && seen.exchange !== null) return `${seen.actor}#${seen.exchange}`;
  if (seen.type === 'connection-opened' || seen.type === 'connected') return `${seen.actor}#${seen.connection}`;
  return 'marker' in seen && seen.marker !== null ? seen.marker : '';
};

const indexOf = (timeline: Timeline): Index => {
  const byKey = Map.groupBy(timeline.all, (seen) => `${seen.type} ${keyOf(seen)}`);
  return {
    find: <T extends FactType>(type: T, key: string) => (byKey.get(`${type} ${key}`) ?? []) as unknown as readonly ObservationOf<T>[],
  };
};

const upstreamOf = ({ find }: Index, received: ObservationOf<'request-received'>): Upstream => {
  const key = `${received.actor}#${received.exchange}`;
  const ended = find('answer-ended', key)[0];
  return {
    name: received.actor.slice('upstream.'.length),
    received,
    opened: find('connection-opened', `${received.actor}#${received.connection}`)[0],
    head: find('head-written', key)[0],
    progress: find('answer-progress', key),
    ended,
    closed: find('peer-closed', key)[0] ?? (ended?.by === 'peer' ? ended : undefined),
  };
};

/** The part of a marker's facts that belongs to one attempt: from its plan to the plan of its repeat. */
type Turn = { readonly fromMs: number; readonly untilMs: number };

const exchangeOf = (index: Index, planned: ObservationOf<'exchange-planned'>, { fromMs, untilMs }: Turn): Exchange => {
  const { marker, client, account } = planned;
  const all = <T extends FactType>(type: T): readonly ObservationOf<T>[] =>
    index.find(type, marker).filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  const written = all('request-written')[0];
  return {
    marker,
    client,
    account,
    planned,
    written,
    connected: written && index.find('connected', `${written.actor}#${written.connection}`)[0],
    head: all('response-head')[0],
    received: all('received'),
    ended: all('response-ended')[0],
    left: all('left')[0],
    upstreams: all('request-received').map((received) => upstreamOf(index, received)),
  };
};

const turnOf = (plans: readonly ObservationOf<'exchange-planned'>[], planned: ObservationOf<'exchange-planned'>): Turn => {
  const attempts = plans.filter(({ marker }) => marker === planned.marker);
  const turn = attempts.indexOf(planned);
  return { fromMs: turn === 0 ? -Infinity : planned.atMs, untilMs: attempts[turn + 1]?.atMs ?? Infinity };
};

/** Every exchange that was planned, in order, those of the preparation included. A request sent again is one of its own. */
export const allExchanges: (timeline: Timeline) => readonly Exchange[] = memoized((timeline) => {
  const index = indexOf(timeline);
  const plans = timeline.of('exchange-planned');
  const isRepeated = plans.some(({ repeat }) => repeat === true);
  const whole: Turn = { fromMs: -Infinity, untilMs: Infinity };
  return plans.map((planned) => exchangeOf(index, planned, isRepeated ? turnOf(plans, planned) : whole));
});

/** The exchanges of the scenario's own scripts. */
export const exchangesOf = (timeline: Timeline): readonly Exchange[] =>
  allExchanges(timeline).filter(({ planned }) => planned.purpose === 'drive');

/** Every time that the same request was sent, this one included: they bear one marker, and are one thing to be paid for. */
export const attemptsOf = (timeline: Timeline, { marker }: Exchange): readonly Exchange[] =>
  allExchanges(timeline).filter((exchange) => exchange.marker === marker);

/** An answer in events, told so by its head; else one body, which ends with its message. */
export const isStreamed = ({ head }: Exchange): boolean => !/^application\/([\w.-]+\+)?json\b(?!-)/.test(head?.contentType ?? '');

/** The client read the answer to its end: that of a stream is its end mark, that of one body the end of the message. */
export const wasReadToEnd = (exchange: Exchange): boolean => {
  const { ended, head } = exchange;
  if (ended?.how !== 'complete') return false;
  return ended.endMark || (!isStreamed(exchange) && ended.errorEvent === null && head !== undefined && head.status < 400);
};

export type Totals = { readonly bytes: number; readonly events: number };

type Counted = ObservationOf<'answer-progress'> | ObservationOf<'received'>;

/** The moments at which the count of data events grew. */
export const growthsOf = <C extends Counted>(counts: readonly C[]): readonly C[] =>
  counts.filter(({ events }, index) => events > (counts[index - 1]?.events ?? 0));

const NOTHING: Totals = { bytes: 0, events: 0 };

/** The least that had been counted at that time: totals are told with up to 50 ms of delay. */
export const totalsBefore = (counts: readonly Counted[], atMs: number): Totals => counts.findLast((count) => count.atMs <= atMs) ?? NOTHING;

/** The most that can have been counted at that time. */
export const totalsAfter = (counts: readonly Counted[], atMs: number): Totals =>
  counts.find((count) => count.atMs >= atMs) ?? counts.at(-1) ?? NOTHING;
