// What the probes saw, sample by sample. A sample that failed is none: what it missed shows as a gap.
import { refOf } from './observation.ts';
import type { Evidence } from './verdict.ts';
import type { HttpValue, LedgerValue, ProbeName, ProcessValue, SocketsValue } from './samples.ts';
import type { Timeline } from './timeline.ts';

type ValueOf = { ledger: LedgerValue; sockets: SocketsValue; process: ProcessValue; http: HttpValue };

/** What it shows was true at some moment between `beganMs` and `atMs`. */
export type Reading<V> = { readonly beganMs: number; readonly atMs: number; readonly value: V; readonly ref: Evidence };

/** The samples of a probe that succeeded, in order. */
export const readingsOf = <P extends ProbeName>(timeline: Timeline, probe: P): readonly Reading<ValueOf[P]>[] =>
  timeline
    .of('sample')
    .flatMap((sample) =>
      sample.probe === probe && sample.value !== undefined
        ? [{ beganMs: sample.atMs - sample.tookMs, atMs: sample.atMs, value: sample.value as ValueOf[P], ref: refOf(sample) }]
        : [],
    );

export type Gap = { readonly fromMs: number; readonly toMs: number };

/** The longest time within the window in which there was no sample; both ends of the window count as edges. */
export const longestGap = (readings: readonly Reading<unknown>[], window: Gap): Gap => {
  const before = readings.findLast(({ beganMs }) => beganMs <= window.fromMs);
  const inside = readings.filter(({ beganMs }) => beganMs > window.fromMs && beganMs <= window.toMs).map(({ beganMs }) => beganMs);
  const edges = [before ? before.beganMs : window.fromMs, ...inside, window.toMs];
  const gaps = edges.slice(1).map((toMs, index): Gap => ({ fromMs: edges[index]!, toMs }));
  return gaps.reduce((longest, gap) => (gap.toMs - gap.fromMs > longest.toMs - longest.fromMs ? gap : longest));
};

/** The longest that any one thread of the system waited for a processor between two samples, ms. */
const delayBetween = (from: ProcessValue, to: ProcessValue, others: ReadonlySet<string>): number =>
  Object.entries(to.runDelays).reduce((largest, [thread, delay]) => {
    const before = from.runDelays[thread];
    return before === undefined || others.has(thread.split(':')[0]!) ? largest : Math.max(largest, delay - before);
  }, 0);

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
      const waitedMs = delayBetween(from.value, to.value, others);
      if (waitedMs > worst.waitedMs) worst = { waitedMs, fromMs: from.atMs, toMs: to.atMs };
    }
  }
  return worst;
};
