// Waiting for so long at most: for what somebody else may never finish.

/**
 * @param late gives what counts where the work is not done in time (or throws): the work goes on all the same
 * @returns what the work gave, or `late` did; rejects as the work does
 */
export const within = async <T, L>(work: Promise<T>, limitMs: number, late: () => L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<'over'>((resolve) => (timer = setTimeout(() => resolve('over'), limitMs)));
  const done = work.then((value) => ({ value }));
  try {
    const first = await Promise.race([done, over]);
    return first === 'over' ? late() : first.value;
  } finally {
    clearTimeout(timer);
  }
};
