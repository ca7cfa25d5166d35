// Whether numbers that were read one after another go up: Theil and Sen's slope with its interval, and the test of Mann and Kendall,
// with the variance that Hamed and Rao (1998) give for readings that resemble their neighbours. Own code: the one library there is for
// JavaScript (ml-regression-theil-sen) has the slope without an interval, and no test.
import { median } from '../../model/median.ts';

export type Point = { readonly at: number; readonly value: number };

/** In units of the values for each unit of `at`. */
export type Slope = { readonly slope: number; readonly low: number; readonly high: number };

export type TrendTest = {
  /** Pairs that go up less pairs that go down. */
  readonly score: number;
  readonly variance: number;
  /** One-sided: how likely so much growth or more is where there is none. */
  readonly pUp: number;
};

/** Of the normal distribution, from above; Abramowitz and Stegun 7.1.26 (error below 2e-7), far more than is needed here. */
export const upperTail = (z: number): number => {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = 0.5 * polynomial * Math.exp(-x * x);
  return z >= 0 ? tail : 1 - tail;
};

/** The z above which a share of `tail` lies. @param tail between 0 and 0.5 */
export const upperQuantile = (tail: number): number => {
  let [low, high] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

const slopesOf = (points: readonly Point[]): readonly number[] => {
  const slopes: number[] = [];
  for (let from = 0; from < points.length; from += 1) {
    for (let to = from + 1; to < points.length; to += 1) {
      const apart = points[to]!.at - points[from]!.at;
      if (apart > 0) slopes.push((points[to]!.value - points[from]!.value) / apart);
    }
  }
  return slopes.sort((a, b) => a - b);
};

/** Mean ranks, from 1; equal values share theirs. */
const ranksOf = (values: readonly number[]): readonly number[] => {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && order[to]!.value === order[from]!.value) to += 1;
    for (let at = from; at < to; at += 1) ranks[order[at]!.index] = (from + to + 1) / 2;
    from = to;
  }
  return ranks;
};

const correlationAt = (values: readonly number[], lag: number): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (spread === 0) return 0;
  let shared = 0;
  for (let at = 0; at + lag < values.length; at += 1) shared += (values[at]! - mean) * (values[at + lag]! - mean);
  return shared / spread;
};

/**
 * By how much the variance is larger than that of independent readings. Only what raises it counts, so that neighbours
 * which differ more than chance would have it never make a trend out of nothing.
 */
const inflationOf = (points: readonly Point[], slope: number): number => {
  const count = points.length;
  const ranks = ranksOf(points.map(({ at, value }) => value - slope * at));
  const significant = 1.96 / Math.sqrt(count);
  let sum = 0;
  for (let lag = 1; lag <= count / 3; lag += 1) {
    const correlation = correlationAt(ranks, lag);
    if (correlation < significant) break;
    sum += (count - lag) * (count - lag - 1) * (count - lag - 2) * correlation;
  }
  return 1 + (2 * sum) / (count * (count - 1) * (count - 2));
};

/** @param points at least three, in order of `at` */
export const testTrend = (points: readonly Point[]): TrendTest => {
  const count = points.length;
  let score = 0;
  for (let from = 0; from < count; from += 1) for (let to = from + 1; to < count; to += 1) score += Math.sign(points[to]!.value - points[from]!.value);
  const ties = [...Map.groupBy(points, ({ value }) => value).values()].reduce((sum, { length: t }) => sum + t * (t - 1) * (2 * t + 5), 0);
  const independent = (count * (count - 1) * (2 * count + 5) - ties) / 18;
  const variance = independent * inflationOf(points, median(slopesOf(points)));
  // One pair less: the score moves in steps of two (the correction for continuity).
  const z = variance === 0 || score === 0 ? 0 : (score - Math.sign(score)) / Math.sqrt(variance);
  return { score, variance, pUp: variance === 0 ? 1 : upperTail(z) };
};

/**
 * The median of the slopes of all pairs, and the interval that holds the true one.
 * @param confidence of the interval, such as 0.95
 */
export const slopeOf = (points: readonly Point[], confidence: number): Slope => {
  const slopes = slopesOf(points);
  const reach = upperQuantile((1 - confidence) / 2) * Math.sqrt(testTrend(points).variance);
  const at = (index: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, index))]!;
  return { slope: median(slopes), low: at(Math.floor((slopes.length - reach) / 2) - 1), high: at(Math.ceil((slopes.length + reach) / 2)) };
};

/** Of `count` in `of`, after Wilson: an interval that is right for none and for all of them too. */
export const shareInterval = (count: number, of: number, confidence = 0.95): { readonly low: number; readonly high: number } => {
  if (of === 0) return { low: 0, high: 1 };
  const z = upperQuantile((1 - confidence) / 2);
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const reach = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { low: count === 0 ? 0 : Math.max(0, middle - reach), high: count === of ? 1 : Math.min(1, middle + reach) };
};

/** Holm's step-down: of several questions asked at once, each with the p that makes up for the others. In the order given. */
export const adjustedForMany = (ps: readonly number[]): readonly number[] => {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let largest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
};
