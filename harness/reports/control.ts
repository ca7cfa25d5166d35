// Whether it closes by itself: what the control shows, which is the same run with a client that stays.
import type { Timeline } from '../model/timeline.ts';
import { formatMs } from '../model/time.ts';

/** Where its watch ends: what closes afterwards is ended by the harness, and says nothing about the system. */
const endOfControl = (control: Timeline): number => {
  const ends = control
    .of('phase')
    .filter(({ phase, edge }) => (phase === 'watch' && edge === 'end') || (phase === 'seal' && edge === 'begin'));
  const cuts = [
    ...ends,
    ...control.of('let-finish'),
    ...control.of('signal-sent'),
    ...control.of('process-exited'),
    ...control.all.slice(-1),
  ];
  return Math.min(...cuts.map(({ atMs }) => atMs));
};

/** Whose exchanges are looked at, and where; null: everybody's, everywhere. */
export type Asked = { readonly clients: readonly string[] | null; readonly upstream: string | null };

const drivenMarkers = (control: Timeline, { clients }: Asked): ReadonlySet<string> =>
  new Set(
    control
      .of('exchange-planned')
      .filter(({ purpose, client }) => purpose === 'drive' && (clients === null || clients.includes(client)))
      .map(({ marker }) => marker),
  );

const exchangeLine = (control: Timeline, received: ReturnType<typeof lastReceived>[number], overMs: number): string => {
  const { exchange, actor, atMs, connection } = received;
  const end = control.all.find(
    (each) =>
      each.actor === actor &&
      each.atMs > atMs &&
      each.atMs < overMs &&
      ((each.type === 'answer-ended' && each.exchange === exchange) ||
        ((each.type === 'peer-closed' || each.type === 'connection-closed') && each.connection === connection)),
  );
  const where = `its exchange at ${actor}`;
  if (!end)
    return `${where} stayed open for ${formatMs(overMs - atMs)}, until the control was over: nothing closes it by itself in that time`;
  const by = end.type === 'connection-closed' ? end.by : 'the system';
  const how = end.type === 'answer-ended' ? `ended (${end.how}, by ${end.by})` : `was closed by ${by}`;
  return `${where} ${how} after ${formatMs(end.atMs - atMs)}`;
};

const lastReceived = (control: Timeline, asked: Asked) => {
  const driven = drivenMarkers(control, asked);
  const received = control
    .of('request-received')
    .filter(({ marker }) => marker !== null && driven.has(marker))
    .filter(({ actor }) => asked.upstream === null || actor === `upstream.${asked.upstream}`);
  return [...new Map(received.map((each) => [`${each.actor} ${each.marker}`, each])).values()];
};

/** More exchanges than these say the same. */
const MAXIMUM = 3;

/** In plain text. */
export const whatTheControlShows = (control: Timeline, asked: Asked = { clients: null, upstream: null }): string => {
  const overMs = endOfControl(control);
  const lines = lastReceived(control, asked)
    .slice(0, MAXIMUM)
    .map((received) => exchangeLine(control, received, overMs));
  if (lines.length === 0) return 'A control was run, in which no such request reached an upstream.';
  return `A control is the same run with a client that stays. There ${lines.join('; ')}.`;
};
