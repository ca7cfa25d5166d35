// How long each thread was kept from a processor, as the kernel adds it up, less what cannot be true: kernels
// since 6.12 leave a thread that goes to sleep on the run queue for a while (EEVDF's delayed dequeue), and may
// count its sleep as waiting when it wakes. A thread that was seen asleep was not waiting at that moment, so
// what it waited since then is no longer than the time since then.
import { nowMs } from '../model/time.ts';
import { isAsleep, runDelayMs } from './process-tree.ts';

type Look = { readonly rawMs: number; readonly trueMs: number; readonly atMs: number; readonly asleep: boolean };

export type RunDelays = {
  /** Cumulative ms of that thread; undefined where the kernel does not count, or the thread has gone. */
  readonly read: (pid: number, thread: number) => number | undefined;
};

/**
 * What has been waited in all, given the look before and this one.
 * @returns ms; the first look takes the kernel's word
 */
export const waitedMs = (before: Look | undefined, rawMs: number, atMs: number): number => {
  if (!before) return rawMs;
  const counted = Math.max(0, rawMs - before.rawMs);
  return before.trueMs + (before.asleep ? Math.min(counted, atMs - before.atMs) : counted);
};

export const createRunDelays = (root: string): RunDelays => {
  const looks = new Map<string, Look>();
  return {
    read: (pid, thread) => {
      const key = `${pid}:${thread}`;
      const atMs = nowMs();
      const rawMs = runDelayMs(root, pid, thread);
      if (rawMs === undefined) {
        looks.delete(key);
        return undefined;
      }
      const trueMs = Math.round(waitedMs(looks.get(key), rawMs, nowMs()) * 1e3) / 1e3;
      looks.set(key, { rawMs, trueMs, atMs, asleep: isAsleep(root, pid, thread) });
      return trueMs;
    },
  };
};
