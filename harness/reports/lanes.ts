// A picture of the timeline in text: a lane for each actor, marks above, the violated interval below.
// Several facts that fall into one column show the most telling one.
import type { Observation } from '../model/observation.ts';
import { formatMs } from '../model/time.ts';
import type { Timeline } from '../model/timeline.ts';
import { oneLine } from './text.ts';

export type LaneWindow = { readonly fromMs: number; readonly toMs: number };

type Sign = { readonly sign: string; readonly about: string };

/** In order of weight: the first wins a column. */
const SIGNS = [
  { sign: 'X', about: 'process ended' }, { sign: '!', about: 'signal or fault' },
  { sign: 'R', about: 'RST' }, { sign: 'F', about: 'FIN' }, { sign: 'V', about: 'vanished' },
  { sign: 'T', about: 'reservation terminal' }, { sign: '$', about: 'charge' }, { sign: '+', about: 'lease moved forward' },
  { sign: '>', about: 'request' }, { sign: '<', about: 'answer began' }, { sign: 'E', about: 'answer ended' },
  { sign: 'B', about: 'write blocked' }, { sign: '?', about: 'probe saw nothing' }, { sign: '.', about: 'bytes' },
] as const satisfies readonly Sign[];

const WIDTH = 72;

const closing = (how: string): string => (how === 'rst' ? 'R' : how === 'fin' ? 'F' : 'V');

const signOf = (observation: Observation): string | null => {
  switch (observation.type) {
    case 'request-written': case 'request-received': return '>';
    case 'response-head': case 'head-written': return '<';
    case 'received': case 'answer-progress': return '.';
    case 'write-blocked': return 'B';
    case 'left': return closing(observation.wire);
    case 'peer-closed': return closing(observation.how);
    case 'answer-ended': case 'response-ended': return 'E';
    case 'signal-sent': case 'fault': return '!';
    case 'process-exited': return 'X';
    case 'sample': return observation.value ? null : '?';
    default: return null;
  }
};

type Point = { readonly lane: string; readonly atMs: number; readonly sign: string };

/** What changed in the ledger from one sample to the next. */
const ledgerPoints = (timeline: Timeline): readonly Point[] => {
  const leases = new Map<string, number>();
  const terminal = new Set<string>();
  const points: Point[] = [];
  let charges = 0;
  for (const sample of timeline.of('sample')) {
    if (sample.probe !== 'ledger' || !sample.value) continue;
    const add = (sign: string): void => void points.push({ lane: 'ledger', atMs: sample.atMs, sign });
    for (const row of sample.value.reservations) {
      const before = leases.get(row.id);
      if (row.leaseAtMs !== undefined) leases.set(row.id, row.leaseAtMs);
      if (before !== undefined && row.leaseAtMs !== undefined && row.leaseAtMs > before) add('+');
      if (row.terminal && !terminal.has(row.id)) add('T');
      if (row.terminal) terminal.add(row.id);
    }
    const count = sample.value.charges?.length ?? 0;
    if (count > charges) add('$');
    charges = count;
  }
  return points;
};

const pointsOf = (timeline: Timeline): readonly Point[] => [
  ...timeline.all.flatMap((observation): readonly Point[] => {
    const sign = signOf(observation);
    const lane = observation.actor === 'harness' ? 'system' : observation.actor;
    return sign === null ? [] : [{ lane: oneLine(lane, 60), atMs: observation.atMs, sign }];
  }),
  ...ledgerPoints(timeline),
];

const laneOrder = (lane: string): number => ['client.', 'system', 'upstream.', 'ledger', ''].findIndex((prefix) => lane.startsWith(prefix));

/** Writes a text at a column, moved left where it would run out. */
const place = (text: string, column: number): string => {
  const at = Math.max(0, Math.min(column, WIDTH - text.length));
  return ' '.repeat(at) + text;
};

type Row = readonly [name: string, text: string];

/** One lane's cells; where two facts meet, the weightier stands. */
const drawLane = (points: readonly Point[], columnOf: (atMs: number) => number): string => {
  const cells = Array.from({ length: WIDTH }, () => ' ');
  const weight = (sign: string): number => SIGNS.findIndex((each) => each.sign === sign);
  for (const { atMs, sign } of points) {
    const column = columnOf(atMs);
    if (cells[column] === ' ' || weight(sign) < weight(cells[column]!)) cells[column] = sign;
  }
  return cells.join('').trimEnd();
};

/**
 * @param violated drawn below, where it lies inside the window
 * @returns lines without a frame, ready for a code block
 */
export const drawLanes = (timeline: Timeline, window: LaneWindow, violated: LaneWindow | null): readonly string[] => {
  const spanMs = Math.max(1, window.toMs - window.fromMs);
  const columnOf = (atMs: number): number => Math.min(WIDTH - 1, Math.max(0, Math.floor(((atMs - window.fromMs) / spanMs) * WIDTH)));
  const isInside = ({ atMs }: { readonly atMs: number }): boolean => atMs >= window.fromMs && atMs <= window.toMs;
  const lanes = [...Map.groupBy(pointsOf(timeline).filter(isInside), (point) => point.lane)]
    .sort(([a], [b]) => laneOrder(a) - laneOrder(b) || (a < b ? -1 : 1))
    .map(([lane, points]): Row => [lane, drawLane(points, columnOf)]);
  const marks = timeline.of('mark').filter(isInside).map(({ mark, atMs }): Row => ['', place(`|${oneLine(mark, 30)}`, columnOf(atMs))]);
  // Whoever wrote the bundle may have written its end before its begin.
  const bar = ({ fromMs, toMs }: LaneWindow): Row =>
    ['violated', ' '.repeat(columnOf(Math.min(fromMs, toMs))) + '='.repeat(Math.abs(columnOf(toMs) - columnOf(fromMs)) + 1)];
  const [from, to] = [formatMs(window.fromMs), formatMs(window.toMs)];
  const axis: Row = ['', from + ' '.repeat(Math.max(1, WIDTH - from.length - to.length)) + to];
  const rows = [...marks, ...lanes, ...(violated ? [bar(violated)] : []), axis];
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const used = new Set(lanes.map(([, text]) => text).join(''));
  const legend = SIGNS.filter(({ sign }) => used.has(sign)).map(({ sign, about }) => `${sign} ${about}`).join('   ');
  return [...rows.map(([name, text]) => `${name.padEnd(nameWidth)}  ${text}`.trimEnd()), '', legend];
};
