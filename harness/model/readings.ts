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

const NOBODY: ReadonlySet<string> = new Set();

const pidOf = (thread: string): string => thread.split(':')[0]!;

/**
 * The longest that any one thread of the system waited for a processor between two samples, ms.
 * @param isNext nothing was seen in between: one that is new has waited no longer than since the first of them
 */
const delayBetween = (from: Reading<ProcessValue>, to: Reading<ProcessValue>, others: ReadonlySet<string>, isNext: boolean): number => {
  const sinceMs = isNext && Object.keys(from.value.runDelays).length > 0 ? to.atMs - from.atMs : 0;
  return Object.entries(to.value.runDelays).reduce((largest, [thread, delay]) => {
    const before = from.value.runDelays[thread];
    if (others.has(pidOf(thread))) return largest;
    return Math.max(largest, before === undefined ? Math.min(delay, sinceMs) : delay - before);
  }, 0);
};

/** The same for one thread. @param later samples after that time */
const threadWaitedOnMs = (later: readonly Reading<ProcessValue>[], thread: string, fromMs: number): number => {
  let untilMs = fromMs;
  /** Up to here it may have waited without a break, by what was counted so far: a wait is counted in parts where the thread changes processors. */
  let coveredMs = fromMs;
  for (const [index, to] of later.slice(1).entries()) {
    const before = later[index]!;
    const waitedMs = (to.value.runDelays[thread] ?? 0) - (before.value.runDelays[thread] ?? Infinity);
    if (waitedMs <= 0) continue;
    // It ended after the sample before, and so began at the earliest by its length before that.
    if (before.beganMs - waitedMs > coveredMs) break;
    coveredMs = Math.min(to.atMs, coveredMs + waitedMs);
    untilMs = before.atMs;
  }
  return untilMs;
};

/**
 * Until when a thread may have been waiting without a break since that time: the last sample that was taken before it was
 * over. A wait is counted when it is over, so it is told by later samples only.
 * @param others pids of processes whose threads are not asked about
 * @returns ms; `fromMs` where no sample shows one
 */
export const waitedOnMs = (readings: readonly Reading<ProcessValue>[], fromMs: number, others: ReadonlySet<string> = NOBODY): number => {
  const later = readings.filter(({ atMs }) => atMs > fromMs);
  const threads = Object.keys(later[0]?.value.runDelays ?? {}).filter((thread) => !others.has(pidOf(thread)));
  return Math.max(fromMs, ...threads.map((thread) => threadWaitedOnMs(later, thread, fromMs)));
};

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
