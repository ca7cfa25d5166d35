// Whether it closes by itself: what the control shows, which is the same run with a client that stays.
import type { Timeline } from '../../model/timeline.ts';
import { formatMs } from '../../model/time.ts';
import { code } from './safe.ts';
import type { Hide } from './safe.ts';

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

const drivenMarkers = (control: Timeline): ReadonlySet<string> =>
  new Set(
    control
      .of('exchange-planned')
      .filter(({ purpose }) => purpose === 'drive')
      .map(({ marker }) => marker),
  );

const exchangeLine = (control: Timeline, received: ReturnType<typeof lastReceived>[number], overMs: number, hide: Hide): string => {
  const { exchange, actor, atMs, connection } = received;
  const end = control.all.find(
    (each) =>
      each.actor === actor &&
      each.atMs > atMs &&
      each.atMs < overMs &&
      ((each.type === 'answer-ended' && each.exchange === exchange) ||
        ((each.type === 'peer-closed' || each.type === 'connection-closed') && each.connection === connection)),
  );
  const where = `its exchange at ${code(actor, hide)}`;
  if (!end)
    return `${where} stayed open for ${formatMs(overMs - atMs)}, until the control was over: nothing closes it by itself in that time`;
  const by = end.type === 'connection-closed' ? end.by : 'the system';
  const how = end.type === 'answer-ended' ? `ended (${end.how}, by ${end.by})` : `was closed by ${by}`;
  return `${where} ${how} after ${formatMs(end.atMs - atMs)}`;
};

const lastReceived = (control: Timeline) => {
  const driven = drivenMarkers(control);
  const received = control.of('request-received').filter(({ marker }) => marker !== null && driven.has(marker));
  return [...new Map(received.map((each) => [`${each.actor} ${each.marker}`, each])).values()];
};

/** More exchanges than these say the same. */
const MAXIMUM = 3;

export const whatTheControlShows = (control: Timeline | null, hide: Hide): readonly string[] => {
  if (control === null) return ['No control was run: no claim of this run is about something that happens because the client left.', ''];
  const overMs = endOfControl(control);
  const lines = lastReceived(control)
    .slice(0, MAXIMUM)
    .map((received) => exchangeLine(control, received, overMs, hide));
  if (lines.length === 0) return ['A control was run, in which no request reached an upstream.', ''];
  return [`A control is the same run with a client that stays. There ${lines.join('; ')}.`, ''];
};
