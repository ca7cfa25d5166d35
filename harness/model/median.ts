// The middle of several numbers, as it is meant everywhere: trends, usual durations, measures of the bench.

/** The mean of both middle ones where there are as many above as below; NaN of none. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};
