// The harness watches its own loop: what it could not see in time must not be judged.
import type { LiveTimeline } from '../model/live.ts';
import { nowMs, toMicroseconds } from '../model/time.ts';

const PERIOD_MS = 20;
const REPORT_MS = 250;

/** One watcher for all runs of this process; each run reads it into its own timeline. */
export const watchHarnessLag = (timelines: () => Iterable<LiveTimeline>): { readonly stop: () => void } => {
  let dueMs = nowMs() + PERIOD_MS;
  let reportMs = nowMs() + REPORT_MS;
  let largestMs = 0;
  const timer = setInterval(() => {
    const now = nowMs();
    largestMs = Math.max(largestMs, now - dueMs);
    dueMs = now + PERIOD_MS;
    if (now < reportMs) return;
    for (const timeline of timelines()) {
      timeline.note({ type: 'scheduling-lag', process: 'harness', lagMs: toMicroseconds(Math.max(0, largestMs)) }, 'lag.harness');
    }
    largestMs = 0;
    reportMs = now + REPORT_MS;
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
};
