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
    return sign === null ? [] : [{ lane, atMs: observation.atMs, sign }];
  }),
  ...ledgerPoints(timeline),
];

const laneOrder = (lane: string): number => ['client.', 'system', 'upstream.', 'ledger', ''].findIndex((prefix) => lane.startsWith(prefix));

/** Writes a text at a column, moved left where it would run out. */
const place = (text: string, column: number): string => {
  const at = Math.max(0, Math.min(column, WIDTH - text.length));
  return ' '.repeat(at) + text;
};

/**
 * @param violated drawn below, where it lies inside the window
 * @returns lines without a frame, ready for a code block
 */
export const drawLanes = (timeline: Timeline, window: LaneWindow, violated: LaneWindow | null): readonly string[] => {
  const spanMs = Math.max(1, window.toMs - window.fromMs);
  const columnOf = (atMs: number): number => Math.min(WIDTH - 1, Math.max(0, Math.floor(((atMs - window.fromMs) / spanMs) * WIDTH)));
  const isInside = (atMs: number): boolean => atMs >= window.fromMs && atMs <= window.toMs;
  const points = pointsOf(timeline).filter((point) => isInside(point.atMs));
  const lanes = [...Map.groupBy(points, (point) => point.lane)].sort(([a], [b]) => laneOrder(a) - laneOrder(b) || (a < b ? -1 : 1));
  const weight = (sign: string): number => SIGNS.findIndex((each) => each.sign === sign);
  const used = new Set<string>();
  const drawn = lanes.map(([lane, own]) => {
    const cells = Array.from({ length: WIDTH }, () => ' ');
    for (const { atMs, sign } of own) {
      const column = columnOf(atMs);
      if (cells[column] === ' ' || weight(sign) < weight(cells[column]!)) cells[column] = sign;
    }
    for (const cell of cells) used.add(cell);
    return [lane, cells.join('').trimEnd()] as const;
  });
  const marks = timeline.of('mark').filter((mark) => isInside(mark.atMs)).map((mark) => ['', place(`|${oneLine(mark.mark, 30)}`, columnOf(mark.atMs))] as const);
  const bar = violated ? [['violated', ' '.repeat(columnOf(violated.fromMs)) + '='.repeat(columnOf(violated.toMs) - columnOf(violated.fromMs) + 1)] as const] : [];
  const [from, to] = [formatMs(window.fromMs), formatMs(window.toMs)];
  const axis = ['', from + ' '.repeat(Math.max(1, WIDTH - from.length - to.length)) + to] as const;
  const rows = [...marks, ...drawn, ...bar, axis];
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const legend = SIGNS.filter(({ sign }) => used.has(sign)).map(({ sign, about }) => `${sign} ${about}`).join('   ');
  return [...rows.map(([name, text]) => `${name.padEnd(nameWidth)}  ${text}`.trimEnd()), '', legend];
};
