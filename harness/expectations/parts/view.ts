// What one claim may look at: the record up to the end of the phase in which it is decided. What comes later cannot change its
// verdict, but that it may tell who had been kept from acting, or from seeing, all the while: that is only known when it is
// over, and excuses. A record that broke off before that end can never say `held`.
import type { JudgeInput } from '../expectation.ts';
import { compareObservations, createTimeline } from '../../model/timeline.ts';
import type { Timeline } from '../../model/timeline.ts';
import { formatMs } from '../../model/time.ts';
import { memoized } from '../../model/memo.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';

export type Horizon = 'watch' | 'ask' | 'stop';

export type View = JudgeInput & {
  /** Nothing is known after this. */
  readonly endMs: number;
  /** The phase that decides has ended within the record. */
  readonly isComplete: boolean;
  readonly horizon: Horizon;
  /** All that was recorded. Ask it only for what excuses: nobody is cleared by what comes later. */
  readonly whole: Timeline;
};

/** By the phase's end, which belongs to one record only. */
const clipped = memoized((end: ObservationOf<'phase'>) =>
  memoized((timeline: Timeline): Timeline => createTimeline(timeline.all.filter((seen) => compareObservations(seen, end) <= 0))),
);

/** @param control null is allowed: settling has none yet */
export const viewOf = (input: Omit<JudgeInput, 'control'> & { readonly control?: Timeline | null }, wanted: Horizon): View => {
  // A scenario that stops the system has nobody left to ask.
  const horizon = wanted === 'ask' && input.facts.stopsAt !== null ? 'watch' : wanted;
  const end = input.timeline.of('phase').find(({ phase, edge }) => phase === horizon && edge === 'end');
  const all = input.timeline.all;
  const timeline = end ? clipped(end)(input.timeline) : input.timeline;
  return {
    ...input,
    control: input.control ?? null,
    timeline,
    whole: input.timeline,
    horizon,
    isComplete: end !== undefined,
    endMs: end?.atMs ?? all.at(-1)?.atMs ?? 0,
  };
};

const NAMES: Readonly<Record<Horizon, string>> = { watch: 'the watch', ask: 'the questions after the watch', stop: 'the stop' };

/** The same, to excuse by what came later. */
export const withHindsight = (view: View): View => ({ ...view, timeline: view.whole });

/** Objects to a record that broke off. */
export const isWhole = (view: View): Finding | null =>
  view.isComplete ? null : inconclusive(`the record breaks off at ${formatMs(view.endMs)}, before the end of ${NAMES[view.horizon]}`);
