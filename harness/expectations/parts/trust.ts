// Whether the record can be trusted: watchers that broke or lagged, clocks, faults that did not fire,
// a system that died by itself. Each guard names what it objects to.
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { longestGap, readingsOf, waitedOnMs, worstStarvation } from '../../model/readings.ts';
import type { Gap } from '../../model/readings.ts';
import { formatMs } from '../../model/time.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { heldUpMs, ownDeaths, pausedIn } from './outage.ts';
import type { View } from './view.ts';
import { at, exitWords, gapWords } from './words.ts';

/** A process reports its lag this often; a report speaks of the time since the one before. */
const LAG_REPORT_MS = 250;

export const everyFaultFired = ({ timeline }: View): Finding | null => {
  const failed = timeline.of('fault').find(({ edge }) => edge === 'failed');
  return failed ? inconclusive(`fault ${failed.fault} did not fire: ${failed.detail}`, [refOf(failed)]) : null;
};

/** A call that nobody answered, once the scenario had begun: what the system did not get it may have waited for. */
const calledOutside = ({ timeline }: View): Finding | null => {
  const driveMs = timeline.phase('drive').beginMs ?? -Infinity;
  const call = timeline.of('foreign-host').find(({ answered, atMs }) => !answered && atMs >= driveMs);
  return call ? inconclusive(`the system called ${call.name} ${at(call.atMs)}, for which there is no stand-in`, [refOf(call)]) : null;
};

/** What the preparation must have shown: that a plain exchange works at all; and that the system lacked nothing since. */
export const pathWorks = (view: View): Finding | null => {
  const unmet = view.timeline.of('precondition').find(({ name, met }) => !met && name === 'path');
  return unmet ? inconclusive(`precondition ${unmet.name} was not met: ${unmet.detail}`, [refOf(unmet)]) : calledOutside(view);
};

/** Whether a settled charge was seen at all before the scenario began. */
export const chargeIsVisible = ({ timeline }: View): Finding | null => {
  const unmet = timeline.of('precondition').find(({ name, met }) => !met && name === 'charge-visible');
  return unmet ? inconclusive(`precondition charge-visible was not met: ${unmet.detail}`, [refOf(unmet)]) : null;
};

export const clientProcesses = (client: string): readonly string[] => ['clients', `client.${client}`];

/** The stage carries everybody's words, and the evidence holds them, so what befalls those is everybody's. */
export const watchersAreSound = (timeline: Timeline, processes: readonly string[], untilMs: number): Finding | null => {
  const broke = timeline.all.find(
    (seen): seen is ObservationOf<'events-dropped'> | ObservationOf<'actor-failed'> =>
      (seen.type === 'events-dropped' || seen.type === 'actor-failed') &&
      [...processes, 'stage', 'evidence'].includes(seen.process) &&
      seen.atMs <= untilMs,
  );
  if (!broke) return null;
  const what =
    broke.type === 'actor-failed' ? `failed ${at(broke.atMs)}: ${broke.error}` : `dropped ${broke.count} observations ${at(broke.atMs)}`;
  return inconclusive(`the watching process ${broke.process} ${what}`, [refOf(broke)]);
};

export const clockIsExact = ({ timeline, facts }: View): Finding | null => {
  const clock = timeline.of('clock').find(({ errorMs }) => errorMs > facts.marginMs);
  return clock
    ? inconclusive(`the clocks agree only to ${formatMs(clock.errorMs)}, the margin is ${formatMs(facts.marginMs)}`, [refOf(clock)])
    : null;
};

/** The report of the largest lag of the harness or an actor that falls into the window. */
export const worstLag = (timeline: Timeline, { fromMs, toMs }: Gap): ObservationOf<'scheduling-lag'> | undefined =>
  timeline
    .of('scheduling-lag')
    .filter((lag) => lag.atMs >= fromMs && lag.atMs - LAG_REPORT_MS - lag.lagMs <= toMs)
    .reduce<ObservationOf<'scheduling-lag'> | undefined>((worst, lag) => (lag.lagMs > (worst?.lagMs ?? 0) ? lag : worst), undefined);

export const nobodyLagged = (timeline: Timeline, marginMs: number, window: Gap): Finding | null => {
  const lag = worstLag(timeline, window);
  return lag && lag.lagMs > marginMs
    ? inconclusive(`${lag.process} lagged ${formatMs(lag.lagMs)} ${at(lag.atMs)}, the margin is ${formatMs(marginMs)}`, [refOf(lag)])
    : null;
};

/** What the system waited for a processor within the window, all in all, and to the end of a wait that was not over with it. */
export const waitedMs = ({ timeline }: Pick<View, 'timeline'>, { fromMs, toMs }: Gap): number => {
  const readings = readingsOf(timeline, 'process');
  return worstStarvation(readings, { fromMs, toMs: waitedOnMs(readings, toMs) }, Infinity).waitedMs;
};

/**
 * By how much a limit may have been overrun through no fault of the system: the watchers' lag, the time that the
 * system waited for a processor, and the time for which a fault had stopped it. Only what is later than this is late.
 * @param process the instance that it is about, where that is known
 */
export const slackMs = (view: View, window: Gap, process?: string): number =>
  (worstLag(view.timeline, window)?.lagMs ?? 0) +
  waitedMs(view, window) +
  heldUpMs(pausedIn(view, { fromMs: window.fromMs, toMs: view.endMs }, process), window.toMs);

/** Main processes of the other instances: that one of them had no processor is no excuse for this one. */
const otherPids = ({ timeline }: View, process: string | undefined): ReadonlySet<string> =>
  new Set(
    process === undefined
      ? []
      : timeline.of('system-started').flatMap((started) => (started.process !== process && started.pid !== null ? [String(started.pid)] : [])),
  );

/** Of a system that was starved, or stopped by a fault, for more than a third of a lease nothing is said about leases. */
export const systemWasFed = (view: View, window: Gap, leaseMs: number, process?: string): Finding | null => {
  const pause = pausedIn(view, window, process).find(({ fromMs, toMs }) => toMs - fromMs > leaseMs / 3);
  if (pause) {
    const until = pause.toMs < window.toMs ? formatMs(pause.toMs) : 'the end';
    return inconclusive(`a fault had stopped the system from ${formatMs(pause.fromMs)} to ${until}, more than a third of a lease of ${formatMs(leaseMs)}`);
  }
  const readings = readingsOf(view.timeline, 'process');
  const others = otherPids(view, process);
  // A wait that was not over with the window counts if as much of it as matters lay within.
  const toMs = Math.max(window.toMs, waitedOnMs(readings, window.toMs - leaseMs / 3, others));
  const worst = worstStarvation(readings, { fromMs: window.fromMs, toMs }, leaseMs, others);
  const between = `between ${formatMs(worst.fromMs)} and ${formatMs(worst.toMs)}`;
  return worst.waitedMs > leaseMs / 3
    ? inconclusive(
        `the system waited ${formatMs(worst.waitedMs)} for a processor ${between}, more than a third of a lease of ${formatMs(leaseMs)}`,
      )
    : null;
};

/**
 * Nobody is cleared as well fed by samples that were not taken. Between two samples a wait shows in their difference,
 * which is cumulative; at the edges of the window there is only one, and what may hide there must be no starvation. A
 * wait is counted when it is over: that one had begun in the window shows after it, where the record goes on.
 */
export const feedingWasSeen = ({ timeline, endMs }: View, window: Gap, leaseMs: number): Finding | null => {
  const readings = readingsOf(timeline, 'process');
  const first = readings.find(({ beganMs }) => beganMs <= window.toMs);
  const last = readings.at(-1);
  const edges: readonly Gap[] = [
    { fromMs: window.fromMs, toMs: first?.atMs ?? window.toMs },
    { fromMs: last?.beganMs ?? window.fromMs, toMs: last && last.beganMs < window.toMs && endMs - window.toMs > leaseMs / 3 ? endMs : window.toMs },
  ];
  const gap = edges.find(({ fromMs, toMs }) => toMs - fromMs > leaseMs / 3) ?? longestGap(readings, window);
  const isEdge = edges.includes(gap);
  return isEdge || gap.toMs - gap.fromMs > leaseMs
    ? inconclusive(`probe process too slow to know whether the system was starved: ${gapWords(gap)}`)
    : null;
};

/** The first end of a serving process that nobody had told to; of one process, where it is given. */
export const ownDeath = (
  { timeline, facts }: Pick<View, 'timeline' | 'facts'>,
  process?: string,
): ObservationOf<'process-exited'> | undefined => ownDeaths(timeline, facts).find((exit) => process === undefined || exit.process === process);

/** What a dead system no longer does is not to its credit. */
export const systemLived = (view: View, untilMs: number): Finding | null => {
  const death = ownDeath(view);
  return death && death.atMs <= untilMs
    ? inconclusive(`${death.process} died by itself ${at(death.atMs)} (${exitWords(death)})`, [refOf(death)])
    : null;
};
