// An interruption is not kept waiting by an actor that takes its time: what it does is no longer waited for.

/** What the work gives; undefined as soon as the signal aborts. */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
  let stop = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
