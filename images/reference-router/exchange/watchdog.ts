// One timer per exchange, for all its deadlines. Most events only push a deadline back, so the timer
// is not touched then: it wakes up at the old moment, looks again, and sleeps on.
import type { Bound, Deadline } from './deadlines.ts';

export type Watchdog = {
  /** To be called when a deadline may have come nearer: a phase has begun. */
  readonly arm: () => void;
  readonly stop: () => void;
};

/**
 * @param next the nearest deadline, or null
 * @param fire called once a deadline is due; the owner stops the watchdog then
 */
export const createWatchdog = (next: () => Deadline | null, fire: (bound: Bound) => void): Watchdog => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    clearTimeout(timer);
    const deadline = next();
    // A deadline is looked at again when it is due, never before: the timer may be a little early.
    if (deadline) timer = setTimeout(check, Math.max(1, Math.ceil(deadline.atMs - performance.now())));
  };
  const check = (): void => {
    const deadline = next();
    if (deadline && deadline.atMs <= performance.now()) fire(deadline.bound);
    else arm();
  };
  return { arm, stop: () => clearTimeout(timer) };
};
