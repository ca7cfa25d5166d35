// Stamps of others are of the wall clock, which may be put forward or back, and goes on while the machine sleeps. They come to
// our clock by what both showed at once, and where that is not exact a stamp is late, never early: what somebody was told
// is then never dated after what he did of it.
import { nowMs } from '../model/time.ts';

/** Between the two looks at our clock the process may have stood: the shortest of these is taken. */
const LOOKS = 3;

/** By how much the wall clock is ahead of `nowMs`; less, by as long as looking took, but never more. */
export const wallAheadMs = (): number => {
  let best = { aheadMs: 0, tookMs: Infinity };
  for (let look = 0; look < LOOKS; look += 1) {
    const beganMs = nowMs();
    const wallMs = Date.now();
    const endMs = nowMs();
    if (endMs - beganMs < best.tookMs) best = { aheadMs: wallMs - endMs, tookMs: endMs - beganMs };
  }
  return best.aheadMs;
};

/**
 * @param stamp as engines write it, to the nanosecond; whole milliseconds are read of it, so it may have been up to one later
 * @param aheadsMs readings of `wallAheadMs`, before it and after: where they differ the clock was put forward or back between
 * @returns when it was, of `nowMs`, or later; NaN where it is no stamp
 */
export const onOurClock = (stamp: string, ...aheadsMs: readonly number[]): number => Date.parse(stamp) + 1 - Math.min(...aheadsMs);
