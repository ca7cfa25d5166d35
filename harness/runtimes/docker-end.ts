// How the end of a container is learnt: the engine's wait, which is a request that stands open for as long as the container
// lives. Whatever lies in between may cut it (a forwarder's idle limit, an engine that starts again and lets its containers
// live), and then the container is looked at: a wait that broke says nothing about the system.
import { nowMs } from '../model/time.ts';
import { statusOf } from './docker-engine-errors.ts';
import type { EngineContainer } from './docker-processes.ts';
import { exitOf } from './exit.ts';
import type { ExitWatch } from './exit-watch.ts';
import { onOurClock, wallAheadMs } from './wall-clock.ts';

/** Between two waits that were cut. */
const AGAIN_MS = 100;
/** The engine does not answer at all: it may be starting again. */
const SILENT_MS = 1_000;

type Seen = 'ended' | 'running' | 'unseen';

export type EndOptions = {
  /** It was not started before; of `nowMs`, and by how much the wall clock was ahead of that. */
  readonly since: { readonly atMs: number; readonly aheadMs: number };
  /** The engine's clock is not ours: when it says the end was is not when that was here. */
  readonly isAway: boolean;
};

/** Keeps nobody alive that has nothing else to do. */
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

/** The engine's own stamp, a wall clock's, on our clock; its answer where it gives none. Never later than that. */
const endedMs = (finishedAt: string | undefined, { since, isAway }: EndOptions): number => {
  const endMs = onOurClock(finishedAt ?? '', since.aheadMs, wallAheadMs());
  const hereMs = nowMs();
  return isAway || !(endMs <= hereMs) || endMs < since.atMs ? hereMs : endMs;
};

/**
 * Watches until the end.
 * @returns a way to look at once, for when the news may be lost on its way; never rejects
 */
export const watchEnd = (container: EngineContainer, watch: ExitWatch, options: EndOptions): (() => Promise<Seen>) => {
  /** The code that the wait gave, or is about to; null: it broke. */
  const wait = (): Promise<number | null> => container.wait().then(({ StatusCode }: { readonly StatusCode: number }) => StatusCode, () => null);
  let waiting = wait();
  const settle = (code: number | null, atMs = nowMs()): void => watch.settle({ ...exitOf(code, null), atMs });
  const look = async (): Promise<Seen> => {
    if (watch.hasExited()) return 'ended';
    try {
      const { State } = await container.inspect();
      if (State.Running) return 'running';
      settle(State.ExitCode, endedMs(State.FinishedAt, options));
    } catch (error) {
      if (statusOf(error) !== 404) return 'unseen';
      // Removed, which ends a wait too: how it ended may be on its way still, or nobody can say it any more.
      settle(await Promise.race([waiting, pause(SILENT_MS).then(() => null)]));
    }
    return 'ended';
  };
  const follow = async (): Promise<void> => {
    for (;; waiting = wait()) {
      const code = await waiting;
      if (code !== null && options.isAway) settle(code);
      const seen = await look();
      if (code !== null) settle(code);
      if (watch.hasExited()) return;
      await pause(seen === 'running' ? AGAIN_MS : SILENT_MS);
    }
  };
  void follow();
  return look;
};
