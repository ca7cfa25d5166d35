// The two clocks of the ledger's thread. What is written down is wall time, since other processes read it;
// how long something has lasted is only ever taken from the monotonic clock.

export type Clocks = {
  /** Whole ms since the epoch. It may be wrong by an hour or a day; it never jumps while the process runs. */
  readonly wallMs: () => number;
  /** Whole ms since some moment, the same in every thread of the machine. */
  readonly monotonicMs: () => number;
};

export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Wall time is read once and counted on from there: a clock that is set must not cost anybody a lease. */
export const processClocks = (): Clocks => {
  const originMs = Date.now() - monotonicMs();
  return { wallMs: () => originMs + monotonicMs(), monotonicMs };
};
