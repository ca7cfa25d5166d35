// Readings of a whole night in little room: one value for each stretch of time, and when there are too many stretches, each becomes
// twice as long. So what a soak holds in memory does not grow with the night.
import type { Point } from './statistics.ts';

/** How several readings of one stretch become one. */
export type Merge = 'mean' | 'largest' | 'smallest';

export type Series = {
  /** @param atMs since the beginning, never going back by more than a stretch */
  readonly add: (atMs: number, value: number) => void;
  /** One for each stretch, at its middle. */
  readonly points: () => readonly Point[];
  /** How many were added. */
  readonly count: () => number;
};

type Stretch = { sum: number; count: number; extreme: number };

const MAXIMUM_STRETCHES = 480;

export const createSeries = (merge: Merge = 'mean', firstMs = 1_000, maximum = MAXIMUM_STRETCHES): Series => {
  const better = merge === 'smallest' ? Math.min : Math.max;
  let lengthMs = firstMs;
  let stretches = new Map<number, Stretch>();
  let count = 0;
  const put = (into: Map<number, Stretch>, index: number, { sum, count: more, extreme }: Stretch): void => {
    const there = into.get(index);
    into.set(index, there ? { sum: there.sum + sum, count: there.count + more, extreme: better(there.extreme, extreme) } : { sum, count: more, extreme });
  };
  const halve = (): void => {
    const before = stretches;
    stretches = new Map();
    lengthMs *= 2;
    for (const [index, stretch] of before) put(stretches, Math.floor(index / 2), stretch);
  };
  return {
    add: (atMs, value) => {
      if (!Number.isFinite(value)) return;
      count += 1;
      put(stretches, Math.floor(Math.max(0, atMs) / lengthMs), { sum: value, count: 1, extreme: value });
      while (stretches.size > maximum) halve();
    },
    points: () =>
      [...stretches]
        .sort(([a], [b]) => a - b)
        .map(([index, stretch]) => ({ at: (index + 0.5) * lengthMs, value: merge === 'mean' ? stretch.sum / stretch.count : stretch.extreme })),
    count: () => count,
  };
};
