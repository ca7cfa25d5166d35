// What a night does when the engine goes away: whatever was under way ends in an error, nothing is begun until it answers again, and then
// what it still holds of us is removed. A restart of the engine costs the runs of those minutes and nothing else.
import type { Problem } from '../../model/problem.ts';
import { formatMs } from '../../model/time.ts';
import type { Runtime } from '../../runtimes/runtime.ts';

export type Outage = { readonly atMs: number; readonly forMs: number; readonly why: string };

export type EngineGate = {
  /** A run ended so; it may be the engine. */
  readonly suspect: (problems: readonly Pick<Problem, 'family'>[]) => void;
  readonly isSuspected: () => boolean;
  /** It was asked and did not answer. */
  readonly isAway: () => boolean;
  /** Asks it once. What it answers clears it of the suspicion. */
  readonly ask: () => Promise<void>;
  /** Resolves when the engine answers, with what it held of us removed; for when nothing is under way. False: the night was over before. */
  readonly untilAnswering: () => Promise<boolean>;
  readonly outages: () => readonly Outage[];
};

export type EngineGateInput = {
  readonly runtime: Pick<Runtime, 'kind' | 'probe'>;
  /** Removes what the engine holds of this run. */
  readonly sweep: () => Promise<unknown>;
  readonly elapsedMs: () => number;
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  readonly pollMs?: number;
};

const POLL_MS = 2_000;
const MAXIMUM_OUTAGES = 200;

/** Resolves early when the night is told to stop. */
export const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

export const createEngineGate = ({ runtime, sweep, elapsedMs, isOver, signal, progress, pollMs = POLL_MS }: EngineGateInput): EngineGate => {
  const outages: Outage[] = [];
  let isSuspected = false;
  let away: { readonly atMs: number; readonly why: string } | null = null;
  const wait = async (atMs: number, why: string): Promise<boolean> => {
    progress(`the engine does not answer (${why}); waiting until it does`);
    for (;;) {
      await pauseFor(pollMs, signal);
      const isThere = !signal.aborted && (await runtime.probe()).available;
      if (!isThere && !signal.aborted && !isOver()) continue;
      const forMs = elapsedMs() - atMs;
      if (outages.length < MAXIMUM_OUTAGES) outages.push({ atMs, forMs, why });
      if (isThere) progress(`the engine answers again after ${formatMs(forMs)}`);
      return isThere;
    }
  };
  return {
    suspect: (problems) => {
      isSuspected ||= runtime.kind === 'docker' && problems.some(({ family }) => family !== 'scenario');
    },
    isSuspected: () => isSuspected,
    isAway: () => away !== null,
    outages: () => outages,
    ask: async () => {
      const { available, why } = await runtime.probe();
      isSuspected = !available;
      away = available ? null : { atMs: elapsedMs(), why };
    },
    untilAnswering: async () => {
      if (away !== null && !(await wait(away.atMs, away.why))) return false;
      away = null;
      isSuspected = false;
      // What the runs of the outage could not remove themselves.
      await sweep().catch(() => {});
      return true;
    },
  };
};
