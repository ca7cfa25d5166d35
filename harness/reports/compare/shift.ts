// A view on another clock: the moment at which two runs are aligned becomes nought in both, so that they share one axis.
import type { Interval, Lane, View } from '../view/view.ts';

const columns = <T extends { readonly at: readonly number[] }>(all: readonly T[], byMs: number): readonly T[] =>
  all.map((each) => ({ ...each, at: each.at.map((atMs) => atMs + byMs) }));

const interval = <T extends Interval>(each: T, byMs: number): T => ({ ...each, fromMs: each.fromMs + byMs, toMs: each.toMs + byMs });

const moments = <T extends { readonly atMs: number }>(all: readonly T[], byMs: number): readonly T[] =>
  all.map((each) => ({ ...each, atMs: each.atMs + byMs }));

const lane = (each: Lane, byMs: number): Lane => ({
  ...each, bars: each.bars.map((bar) => interval(bar, byMs)), ticks: columns(each.ticks, byMs), points: moments(each.points, byMs), curves: columns(each.curves, byMs),
});

/** All that a picture draws, `byMs` later; logs and the span stay as they are. */
export const shifted = (view: View, byMs: number): View => ({
  ...view,
  focus: interval(view.focus, byMs),
  marks: moments(view.marks, byMs),
  phases: view.phases.map((phase) => interval(phase, byMs)),
  claims: view.claims.map((claim) => ({ ...claim, interval: claim.interval && interval(claim.interval, byMs) })),
  lanes: view.lanes.map((each) => lane(each, byMs)),
  observations: { ...view.observations, at: view.observations.at.map((atMs) => atMs + byMs) },
});
