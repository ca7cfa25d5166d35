// The end of a system as a promise that several parties look at. Who heard a signal had not ended before it: what the record has
// as sent to him is never after his end.
import { nowMs } from '../model/time.ts';
import type { Exit } from './exit.ts';

export type Ended = Exit & { readonly atMs: number };

export type ExitWatch = {
  readonly exited: Promise<Ended>;
  readonly hasExited: () => boolean;
  /** The first one counts. */
  readonly settle: (ended: Ended) => void;
  /** Sends a signal, whose work says whether it was heard; where it rejects it may have been. An end that is learnt meanwhile waits for that. */
  readonly sending: (work: () => Promise<boolean>) => Promise<boolean>;
};

export const createExitWatch = (): ExitWatch => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const under = new Set<Promise<boolean>>();
  let done = false;
  let heardMs = -Infinity;
  const heardOf = async (work: () => Promise<boolean>): Promise<boolean> => {
    const sentMs = nowMs();
    let isHeard = true;
    try {
      return (isHeard = await work());
    } finally {
      if (isHeard) heardMs = Math.max(heardMs, sentMs);
    }
  };
  return {
    exited: promise,
    hasExited: () => done,
    settle: (ended) => {
      if (done) return;
      done = true;
      const tell = (): void => resolve({ ...ended, atMs: Math.max(ended.atMs, heardMs) });
      if (under.size === 0) tell();
      else void Promise.allSettled(under).then(tell);
    },
    sending: (work) => {
      const signal = heardOf(work).finally(() => under.delete(signal));
      under.add(signal);
      return signal;
    },
  };
};
