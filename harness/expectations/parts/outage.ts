// What faults did to the processes of the system: ended and perhaps started again, or stopped where they stood.
// An outage is nobody's death, and what a stopped process did not do is not its fault.
import { instancesOf } from '../../model/facts.ts';
import type { Facts } from '../../model/facts.ts';
import { memoized } from '../../model/memo.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { Gap } from '../../model/readings.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { View } from './view.ts';

/** By which a fault ends a process. */
export const ENDING_SIGNALS = new Set(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGABRT']);

/** A dump is asked for by us: whoever ends of it was ended. */
const asSignal = (dump: ObservationOf<'dump'>): ObservationOf<'signal-sent'> => ({ ...dump, type: 'signal-sent', signal: dump.by, purpose: 'dump' });

type Life = {
  readonly exit: ObservationOf<'process-exited'>;
  /** What was sent to it in this life, before it ended. */
  readonly signals: readonly ObservationOf<'signal-sent'>[];
};

/** Every life that ended. One that ended so soon that its start was noted later had no signals. */
const livesOf = memoized((timeline: Timeline): readonly Life[] =>
  timeline.of('process-exited').map((exit) => {
    const own = (seen: { readonly process: string; readonly atMs: number }): boolean => seen.process === exit.process && seen.atMs <= exit.atMs;
    const bornMs = Math.max(
      timeline.of('system-started').findLast(own)?.atMs ?? -Infinity,
      timeline.of('process-exited').findLast((other) => other !== exit && own(other))?.atMs ?? -Infinity,
    );
    const dumps = timeline.of('dump').filter(({ edge }) => edge === 'begin').map(asSignal);
    return { exit, signals: [...timeline.of('signal-sent'), ...dumps].filter((sent) => own(sent) && sent.atMs >= bornMs) };
  }),
);

const endsIt = ({ purpose, signal }: ObservationOf<'signal-sent'>): boolean => purpose !== 'fault' || ENDING_SIGNALS.has(signal);

/** Ends of the system's serving processes that nobody had asked for. */
export const ownDeaths = (timeline: Timeline, facts: Facts): readonly ObservationOf<'process-exited'>[] =>
  livesOf(timeline)
    .filter(({ exit, signals }) => instancesOf(facts).some(({ process }) => process === exit.process) && !signals.some(endsIt))
    .map(({ exit }) => exit);

export type Outage = {
  readonly process: string;
  readonly sent: ObservationOf<'signal-sent'>;
  readonly exit: ObservationOf<'process-exited'>;
  /** Until it was started again; infinity where it was not. */
  readonly toMs: number;
};

/** When faults had ended a process, from the signal on. */
export const outagesOf = (timeline: Timeline, process: string): readonly Outage[] =>
  livesOf(timeline).flatMap(({ exit, signals }) => {
    // What was told to stop after a dump ended of that.
    const dump = signals.every(({ purpose }) => purpose !== 'stop' && purpose !== 'cleanup') ? signals.find(({ purpose }) => purpose === 'dump') : undefined;
    const sent = signals.find((each) => each.purpose === 'fault' && ENDING_SIGNALS.has(each.signal)) ?? dump;
    if (exit.process !== process || !sent) return [];
    const again = timeline.of('system-started').find((started) => started.process === process && started.atMs >= exit.atMs);
    return [{ process, sent, exit, toMs: again?.atMs ?? Infinity }];
  });

/** When faults had stopped a process: from SIGSTOP until it was continued, or ended. */
export const pausesOf = (timeline: Timeline, process: string): readonly (Gap & { readonly ref: string })[] =>
  timeline
    .of('signal-sent')
    .filter((sent) => sent.process === process && sent.purpose === 'fault' && sent.signal === 'SIGSTOP')
    .map((sent) => {
      const over = timeline.all.find(
        (seen) =>
          seen.atMs >= sent.atMs &&
          ((seen.type === 'signal-sent' && seen.signal === 'SIGCONT') || seen.type === 'process-exited') &&
          seen.process === process,
      );
      return { fromMs: sent.atMs, toMs: over?.atMs ?? Infinity, ref: refOf(sent) };
    });

/** The faults that keep every instance from the ledger. */
const LEDGER_FAULTS = new Set(['ledger-lock', 'ledger-unavailable']);

/** When faults had kept the system from its ledger, to where that was undone. */
export const ledgerOutagesOf = memoized((timeline: Timeline): readonly Gap[] => {
  const held = timeline.of('fault-held').filter(({ fault }) => LEDGER_FAULTS.has(fault));
  return held.flatMap((begin, index) => {
    if (begin.edge !== 'begin') return [];
    const end = held.slice(index + 1).find(({ fault, edge }) => fault === begin.fault && edge === 'end');
    return [{ fromMs: begin.atMs, toMs: end?.atMs ?? Infinity }];
  });
});

const common = (one: readonly Gap[], other: readonly Gap[]): readonly Gap[] =>
  one.flatMap((a) =>
    other.flatMap((b) => {
      const both = { fromMs: Math.max(a.fromMs, b.fromMs), toMs: Math.min(a.toMs, b.toMs) };
      return both.toMs > both.fromMs ? [both] : [];
    }),
  );

/**
 * When a fault had stopped that process within the window; without a process, when it had stopped all of them: of
 * several instances the others go on, and answer for what they do.
 */
export const pausedIn = ({ timeline, facts }: Pick<View, 'timeline' | 'facts'>, window: Gap, process?: string): readonly Gap[] => {
  const processes = process === undefined ? instancesOf(facts).map((instance) => instance.process) : [process];
  return processes.reduce<readonly Gap[]>((gaps, each) => common(gaps, pausesOf(timeline, each)), [window]);
};

/** By how much later something comes that was due then: each gap puts it off by its length, and so perhaps into the next one. */
export const heldUpMs = (gaps: readonly Gap[], dueMs: number): number =>
  gaps.reduce((lateMs, { fromMs, toMs }) => (fromMs < lateMs ? lateMs + toMs - fromMs : lateMs), dueMs) - dueMs;

/** When faults had ended or stopped a process. */
const absencesOf = (timeline: Timeline, process: string): readonly Gap[] => [
  ...pausesOf(timeline, process),
  ...outagesOf(timeline, process).map(({ sent, toMs }) => ({ fromMs: sent.atMs, toMs })),
];

/** The last time that a fault ended or stopped that process; minus infinity where none did. */
export const lastAbsenceMs = ({ timeline }: Pick<View, 'timeline'>, process: string): number =>
  Math.max(-Infinity, ...absencesOf(timeline, process).map(({ fromMs }) => fromMs));

/** Since when, up to the end of the window, some instance was there to act that no fault had ended or stopped; infinity: none is. */
export const attendedFromMs = ({ timeline, facts }: Pick<View, 'timeline' | 'facts'>, window: Gap): number => {
  const gaps = instancesOf(facts).reduce<readonly Gap[]>((all, { process }) => common(all, absencesOf(timeline, process)), [window]);
  return Math.max(window.fromMs, ...gaps.map(({ toMs }) => (toMs >= window.toMs ? Infinity : toMs)));
};
