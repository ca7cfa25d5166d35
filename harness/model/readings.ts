// What the probes saw, sample by sample. A sample that failed is none: what it missed shows as a gap.
import { memoized } from './memo.ts';
import { refOf } from './observation.ts';
import { withOwnNames } from './row-names.ts';
import type { Evidence } from './verdict.ts';
import type { HttpValue, LedgerValue, ProbeName, ProcessValue, SocketsValue } from './samples.ts';
import type { Timeline } from './timeline.ts';

type ValueOf = { ledger: LedgerValue; sockets: SocketsValue; process: ProcessValue; http: HttpValue };

/** What it shows was true at some moment between `beganMs` and `atMs`. */
export type Reading<V> = { readonly beganMs: number; readonly atMs: number; readonly value: V; readonly ref: Evidence };

const succeeded = <P extends ProbeName>(timeline: Timeline, probe: P): readonly Reading<ValueOf[P]>[] =>
  timeline
    .of('sample')
    .flatMap((sample) =>
      sample.probe === probe && sample.value !== undefined
        ? [{ beganMs: sample.atMs - sample.tookMs, atMs: sample.atMs, value: sample.value as ValueOf[P], ref: refOf(sample) }]
        : [],
    );

const ledger = memoized((timeline: Timeline) => withOwnNames(timeline, succeeded(timeline, 'ledger')));

/** The samples of a probe that succeeded, in order. In those of the ledger no id stands for two reservations. */
export const readingsOf = <P extends ProbeName>(timeline: Timeline, probe: P): readonly Reading<ValueOf[P]>[] =>
  probe === 'ledger' ? (ledger(timeline) as readonly Reading<ValueOf[P]>[]) : succeeded(timeline, probe);

export type Gap = { readonly fromMs: number; readonly toMs: number };

/** The longest time within the window in which there was no sample; both ends of the window count as edges. */
export const longestGap = (readings: readonly Reading<unknown>[], window: Gap): Gap => {
  const before = readings.findLast(({ beganMs }) => beganMs <= window.fromMs);
  const inside = readings.filter(({ beganMs }) => beganMs > window.fromMs && beganMs <= window.toMs).map(({ beganMs }) => beganMs);
  const edges = [before ? before.beganMs : window.fromMs, ...inside, window.toMs];
  const gaps = edges.slice(1).map((toMs, index): Gap => ({ fromMs: edges[index]!, toMs }));
  return gaps.reduce((longest, gap) => (gap.toMs - gap.fromMs > longest.toMs - longest.fromMs ? gap : longest));
};

/**
 * The longest that any one thread of the system waited for a processor between two samples, ms.
 * @param isNext nothing was seen in between: one that is new has waited no longer than since the first of them
 */
const delayBetween = (from: Reading<ProcessValue>, to: Reading<ProcessValue>, others: ReadonlySet<string>, isNext: boolean): number => {
  const sinceMs = isNext && Object.keys(from.value.runDelays).length > 0 ? to.atMs - from.atMs : 0;
  return Object.entries(to.value.runDelays).reduce((largest, [thread, delay]) => {
    const before = from.value.runDelays[thread];
    if (others.has(thread.split(':')[0]!)) return largest;
    return Math.max(largest, before === undefined ? Math.min(delay, sinceMs) : delay - before);
  }, 0);
};

const NOBODY: ReadonlySet<string> = new Set();

export type Starvation = { readonly waitedMs: number; readonly fromMs: number; readonly toMs: number };

/**
 * The worst the system was kept from a processor within any stretch of `lengthMs` of the window.
 * Samples further apart than that are taken as a stretch of their own.
 * @param others pids of processes whose threads are not asked about
 */
export const worstStarvation = (
  readings: readonly Reading<ProcessValue>[],
  window: Gap,
  lengthMs: number,
  others: ReadonlySet<string> = NOBODY,
): Starvation => {
  const inside = readings.filter(({ atMs }, index) => atMs >= window.fromMs && (readings[index - 1]?.atMs ?? window.fromMs) <= window.toMs);
  const first = readings.findLast(({ atMs }) => atMs < window.fromMs);
  const samples = first ? [first, ...inside] : inside;
  let worst: Starvation = { waitedMs: 0, fromMs: window.fromMs, toMs: window.fromMs };
  for (const [index, from] of samples.entries()) {
    for (const [distance, to] of samples.slice(index + 1).entries()) {
      if (distance > 0 && to.atMs - from.atMs > lengthMs) break;
      const waitedMs = delayBetween(from, to, others, distance === 0);
      if (waitedMs > worst.waitedMs) worst = { waitedMs, fromMs: from.atMs, toMs: to.atMs };
    }
  }
  return worst;
};
