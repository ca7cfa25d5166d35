// Whether anything is still heard of a stage of containers. Its host says four times a second how late it is, so silence means that the
// connection was dropped on its way, without a sign: what happened there since then is not on record.
import { nowMs } from '../model/time.ts';

const LOOK_MS = 5_000;
/** Looks in a row, in which something would have come had it been on its way: a harness that was held up itself looks once. */
const SILENT_LOOKS = 6;

export type Heard = {
  /** Something came. */
  readonly note: () => void;
  /** When something came last, of `nowMs`. */
  readonly lastMs: () => number;
  readonly end: () => void;
};

/** Looks from the first word on. @param onSilent is told once, where nothing comes any more */
export const watchHeard = (onSilent: () => void, lookMs = LOOK_MS): Heard => {
  let lastMs = nowMs();
  let silentLooks = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const look = (): void => {
    silentLooks += 1;
    if (silentLooks <= SILENT_LOOKS) return;
    end();
    onSilent();
  };
  return {
    note: () => {
      lastMs = nowMs();
      silentLooks = 0;
      if (!isOver) timer ??= setInterval(look, lookMs).unref();
    },
    lastMs: () => lastMs,
    end,
  };
};
