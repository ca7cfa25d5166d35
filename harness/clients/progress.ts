// Tells totals that grow: the first growth at once, then at most every 50 ms, and whenever it is asked.
import { nowMs } from '../model/time.ts';

const PERIOD_MS = 50;

export type Progress = {
  /** Something has grown. */
  readonly note: () => void;
  /** Tells what has grown since it was last told. */
  readonly flush: () => void;
  /** Tells nothing any more. */
  readonly stop: () => void;
};

/** @param total what grows @param tell called when it is due */
export const createProgress = (total: () => number, tell: () => void): Progress => {
  let told = 0;
  let toldMs = -Infinity;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isStopped || total() === told) return;
    told = total();
    toldMs = nowMs();
    tell();
  };
  return {
    flush,
    note: () => {
      const waitMs = toldMs + PERIOD_MS - nowMs();
      if (waitMs <= 0) flush();
      else timer ??= setTimeout(flush, waitMs);
    },
    stop: () => {
      flush();
      isStopped = true;
    },
  };
};
