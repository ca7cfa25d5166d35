// Bars that overlap lie in rows of their own; those that do not share one. A lane has a limited number of rows: what
// does not fit lies over others in the last.
import type { Interval } from './view.ts';

export const MAXIMUM_ROWS = 24;

export type Packed<T> = {
  readonly rowOf: ReadonlyMap<T, number>;
  readonly rows: number;
  /** So many lie over others. */ readonly over: number;
};

/** The first row that is free by then, in order of time; `gapMs` stays free between two. */
export const packRows = <T extends Interval>(items: readonly T[], gapMs = 0, maximum = MAXIMUM_ROWS): Packed<T> => {
  const freeAt: number[] = [];
  const rowOf = new Map<T, number>();
  let over = 0;
  for (const item of items.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const free = freeAt.findIndex((atMs) => atMs <= item.fromMs);
    const row = free >= 0 ? free : Math.min(freeAt.length, maximum - 1);
    if (free < 0 && freeAt.length === maximum) over += 1;
    freeAt[row] = Math.max(freeAt[row] ?? 0, item.toMs + gapMs);
    rowOf.set(item, row);
  }
  return { rowOf, rows: Math.max(1, freeAt.length), over };
};

export const leftOutOf = (over: number, noun: string): string | null =>
  over === 0 ? null : `${over} ${noun} lie over others in the last row; all are in timeline.ndjson`;
