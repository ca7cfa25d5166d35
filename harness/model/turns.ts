// Long computing in short turns: who computes for a second in one go sees nothing for that second, and the harness must see.
import { setImmediate } from 'node:timers/promises';
import { nowMs } from './time.ts';

const TURN_MS = 10;

/** Does the work to its end at once. */
export const atOnce = <T>(work: Generator<void, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

/** Does the work, letting everything else have its turn where it yields and a while has passed. */
export const inTurns = async <T>(work: Generator<void, T>): Promise<T> => {
  let turnMs = nowMs();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (nowMs() - turnMs < TURN_MS) continue;
    await setImmediate();
    turnMs = nowMs();
  }
};
