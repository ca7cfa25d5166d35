// A lane while it is put together, and what every lane needs to know of the run.
import type { Facts } from '../../model/facts.ts';
import type { Observation } from '../../model/observation.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { Bar, Curve, Lane, LaneKind, Point, Reference, TickKind, Ticks } from './view.ts';

export type Run = {
  readonly timeline: Timeline;
  readonly facts: Facts;
  readonly endMs: number;
  readonly refOf: (observation: Observation | undefined) => Reference;
};

export type Draft = {
  readonly bar: (bar: Bar) => void;
  readonly point: (point: Point) => void;
  /** Ticks of one kind on one row are one series. */
  readonly tick: (row: number, kind: TickKind, label: string, atMs: number, ref: Reference) => void;
  readonly curve: (curve: Curve) => void;
  readonly isEmpty: () => boolean;
  readonly lane: (rows: readonly string[], leftOut?: string | null) => Lane;
};

type Series = { row: number; kind: TickKind; label: string; at: number[]; refs: Reference[] };

export const createDraft = (id: string, kind: LaneKind, name: string): Draft => {
  const bars: Bar[] = [];
  const points: Point[] = [];
  const curves: Curve[] = [];
  const ticks = new Map<string, Series>();
  return {
    bar: (bar) => void bars.push(bar),
    point: (point) => void points.push(point),
    curve: (curve) => void curves.push(curve),
    tick: (row, tickKind, label, atMs, ref) => {
      const key = `${row} ${tickKind}`;
      const series = ticks.get(key) ?? { row, kind: tickKind, label, at: [], refs: [] };
      ticks.set(key, series);
      series.at.push(atMs);
      series.refs.push(ref);
    },
    isEmpty: () => bars.length + points.length + ticks.size + curves.length === 0,
    lane: (rows, leftOut = null) => ({
      id,
      kind,
      name,
      rows,
      bars,
      curves,
      leftOut,
      ticks: [...ticks.values()].map(inOrder),
      points: points.toSorted((a, b) => a.atMs - b.atMs),
    }),
  };
};

const inOrder = (series: Series): Ticks => {
  if (series.at.every((atMs, index) => index === 0 || series.at[index - 1]! <= atMs)) return series;
  const order = series.at.map((_, index) => index).sort((a, b) => series.at[a]! - series.at[b]!);
  return { ...series, at: order.map((index) => series.at[index]!), refs: order.map((index) => series.refs[index]!) };
};
