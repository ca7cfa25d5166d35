// The timeline while it grows: everything recorded passes here, and waits are conditions on it.
import { createTimeline } from './timeline.ts';
import type { Timeline } from './timeline.ts';
import type { Fact, Observation } from './observation.ts';
import { nowMs, toMicroseconds } from './time.ts';

export type LiveTimeline = {
  /** Origin of the run in absolute CLOCK_MONOTONIC ms; every `atMs` counts from it. */
  readonly originMs: number;
  /** Adds an observation that was stamped elsewhere. */
  readonly add: (observation: Observation) => void;
  /** Stamps and adds a fact of the harness itself. `noticedMs` (absolute) where its moment was noted earlier. */
  readonly note: (fact: Fact, actor?: string, noticedMs?: number) => Observation;
  /** Everything so far, in order of arrival, but what was let go of. */
  readonly observations: readonly Observation[];
  /** Lets go of what nobody will ask for here any more; who is told of each observation has it. */
  readonly forget: (isOver: (observation: Observation) => boolean) => void;
  /** A sealed, sorted copy of what there is. */
  readonly seal: () => Timeline;
  /**
   * Resolves with what `look` returns as soon as that is not undefined; undefined after `limitMs` or
   * when the signal aborts. `look` is asked now and after every new observation.
   */
  readonly waitFor: <T>(look: (observations: readonly Observation[]) => T | undefined, limitMs: number, signal?: AbortSignal) => Promise<T | undefined>;
  readonly elapsedMs: () => number;
};

/** @param onObservation is told of each observation at once (the bundle's writer) */
export const createLiveTimeline = (onObservation: (observation: Observation) => void, originMs = nowMs()): LiveTimeline => {
  const observations: Observation[] = [];
  const waiters = new Set<() => void>();
  const sequence = new Map<string, number>();

  const add = (observation: Observation): void => {
    observations.push(observation);
    onObservation(observation);
    for (const wake of waiters) wake();
  };

  const note: LiveTimeline['note'] = (fact, actor = 'harness', noticedMs = nowMs()) => {
    const seq = (sequence.get(actor) ?? 0) + 1;
    sequence.set(actor, seq);
    const observation = { atMs: toMicroseconds(Math.max(0, noticedMs - originMs)), actor, seq, ...fact } as Observation;
    add(observation);
    return observation;
  };

  const waitFor: LiveTimeline['waitFor'] = (look, limitMs, signal) =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        waiters.delete(wake);
        signal?.removeEventListener('abort', stop);
        settle();
      };
      const stop = (): void => finish(() => resolve(undefined));
      const wake = (): void => {
        try {
          const found = look(observations);
          if (found !== undefined) finish(() => resolve(found));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const timer = setTimeout(stop, Math.max(0, limitMs));
      waiters.add(wake);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
      else wake();
    });

  const forget: LiveTimeline['forget'] = (isOver) => {
    let kept = 0;
    for (const observation of observations) if (!isOver(observation)) observations[kept++] = observation;
    observations.length = kept;
  };

  return {
    originMs, add, note, observations, waitFor, forget,
    seal: () => createTimeline(observations),
    elapsedMs: () => nowMs() - originMs,
  };
};
