// The end of a system as a promise that several parties look at.
import type { Exit } from './exit.ts';

export type Ended = Exit & { readonly atMs: number };

export type ExitWatch = {
  readonly exited: Promise<Ended>;
  readonly hasExited: () => boolean;
  /** The first one counts. */
  readonly settle: (ended: Ended) => void;
};

export const createExitWatch = (): ExitWatch => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  let done = false;
  return {
    exited: promise,
    hasExited: () => done,
    settle: (ended) => {
      done = true;
      resolve(ended);
    },
  };
};
