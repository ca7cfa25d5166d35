// Bars, ticks, points and curves of one lane. What falls into one column of pixels is drawn once.
import { LETTER, SIZES, fitted } from './layout.mjs';
import { SIGNS } from './signs.mjs';

/** @typedef {import('./scene.mjs').Pen} Pen */
/** @typedef {import('./layout.mjs').Placed} Placed */
/** @typedef {ReturnType<typeof import('./scale.mjs').createScale>} Scale */

/** The first index whose value is not below. @param {readonly number[]} sorted @param {number} value */
export const lowerBound = (sorted, value) => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @param {Placed['lane']} lane @param {number} atMs */
const firstPoint = (lane, atMs) => {
  let [low, high] = [0, lane.points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lane.points[middle]?.atMs ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @param {Pen} pen @param {Placed} placed @param {Scale} scale */
export const drawBars = (pen, { lane, rows }, scale) => {
  const drawnTo = new Map();
  for (const bar of lane.bars) {
    const [from, to] = [Math.max(scale.left - 2, scale.x(bar.fromMs)), Math.min(scale.right + 2, scale.x(bar.toMs))];
    if (to < scale.left - 2 || from > scale.right + 2) continue;
    const key = `${bar.row} ${bar.tone}`;
    const width = Math.max(1.5, to - from);
    if (width < 2 && from < (drawnTo.get(key) ?? -Infinity)) continue;
    drawnTo.set(key, from + width);
    const y = rows[bar.row] ?? rows[0] ?? 0;
    pen.rect(from, y - SIZES.bar / 2, width, SIZES.bar, `fill-${bar.tone} edge-${bar.tone}`, width < 3 ? undefined : bar.label);
    if (bar.isOpen && width > 8 && to < scale.right + 2) {
      pen.line(to - 1, y - SIZES.bar / 2 - 2, to - 1, y + SIZES.bar / 2 + 2, `line-${bar.tone}`);
    }
  }
};

/** @param {string} text */
const chipWidth = (text) => text.length * LETTER + 8;

/** So far points at the beginning of a bar push its words to the right. */
const PUSHED = 90;

/** @param {Placed['lane']} lane @param {import('../../view/view.ts').Bar} bar @param {number} from @param {Scale} scale */
const wordsFrom = (lane, bar, from, scale) => {
  const width = Math.min(PUSHED, bar.label.length * LETTER);
  let x = from + 6;
  for (let index = firstPoint(lane, scale.at(from - 6)); index < lane.points.length; index += 1) {
    const point = lane.points[index];
    if (!point || scale.x(point.atMs) - 9 > x + width || x > from + PUSHED) break;
    if (point.row === bar.row) x = Math.max(x, scale.x(point.atMs) + 9 + (point.short ? chipWidth(point.short) + 4 : 0));
  }
  return x;
};

/**
 * What bars are, inside those that are long enough; over the ticks, so that it can be read.
 * @param {Pen} pen @param {Placed} placed @param {Scale} scale
 */
export const drawBarWords = (pen, { lane, rows }, scale) => {
  for (const bar of lane.bars) {
    const [from, to] = [Math.max(scale.left, scale.x(bar.fromMs)), Math.min(scale.right, scale.x(bar.toMs))];
    if (to - from < 40) continue;
    const x = wordsFrom(lane, bar, from, scale);
    const text = fitted(bar.label, to - x - 12);
    if (text) pen.text(x, (rows[bar.row] ?? rows[0] ?? 0) + 0.5, text, `text-bar on-${bar.tone}`);
  }
};

const HEIGHTS = { data: 4, renewal: 9, charge: 9, lag: 4 };

/** @param {Pen} pen @param {Placed} placed @param {Scale} scale */
export const drawTicks = (pen, { lane, rows }, scale) => {
  for (const series of lane.ticks) {
    const y = rows[series.row] ?? rows[0] ?? 0;
    const height = HEIGHTS[series.kind];
    const bottom = y + (series.kind === 'data' ? SIZES.bar / 2 : height / 2);
    const gap = series.kind === 'data' ? 1 : 1.5;
    let index = lowerBound(series.at, scale.at(scale.left - 1));
    while (index < series.at.length) {
      const x = scale.x(series.at[index] ?? 0);
      if (x > scale.right + 1) break;
      pen.line(x, bottom - height, x, bottom, `line-${series.kind}`);
      // The next that would be another column: many thousands are passed in a few steps.
      const next = scale.at(x + gap);
      index = (series.at[index + 1] ?? Infinity) >= next ? index + 1 : Math.max(index + 1, lowerBound(series.at, next));
    }
  }
};

/** @param {Pen} pen @param {Placed} placed @param {Scale} scale */
export const drawPoints = (pen, { lane, rows }, scale) => {
  /** @type {Map<number, number>} */
  const chipFrom = new Map();
  /** @type {Map<number, { x: number, sign: string }>} */
  const last = new Map();
  const first = firstPoint(lane, scale.at(scale.left - 12));
  const lastAt = scale.at(scale.right + 12);
  const barFrom = (/** @type {number} */ row, /** @type {number} */ atMs) => {
    let from = Infinity;
    for (const bar of lane.bars) if (bar.row === row && bar.fromMs > atMs && bar.fromMs < from) from = bar.fromMs;
    return scale.x(from);
  };
  // From the right, so that each word knows how much room the next point leaves it.
  let end = first;
  while (end < lane.points.length && (lane.points[end]?.atMs ?? 0) <= lastAt) end += 1;
  for (let index = end - 1; index >= first; index -= 1) {
    const point = lane.points[index];
    const sign = point && SIGNS[point.sign];
    if (!point || !sign) continue;
    const x = scale.x(point.atMs);
    const y = rows[point.row] ?? rows[0] ?? 0;
    const before = last.get(point.row);
    if (before && before.sign === point.sign && before.x - x < 2) continue;
    last.set(point.row, { x, sign: point.sign });
    const text = point.short ?? '';
    const width = chipWidth(text);
    if (text !== '' && width <= Math.min(chipFrom.get(point.row) ?? scale.right, barFrom(point.row, point.atMs)) - x - 10) {
      pen.rect(x + 8, y - 8, width, 16, `fill-chip tone-${point.tone}`);
      pen.text(x + 12, y + 0.5, text, `text-${point.tone}`);
    }
    chipFrom.set(point.row, x - 8);
    pen.sign(x, y, sign.path, sign.isFilled, point.tone, `${point.label}`);
  }
};

const MOST = 4000;

/** A quantity from nought to its largest, the highest of each column. @param {Pen} pen @param {Placed} placed @param {Scale} scale */
export const drawCurves = (pen, { lane, rows }, scale) => {
  for (const curve of lane.curves) {
    if (curve.at.length === 0) continue;
    const y = rows[curve.row] ?? rows[0] ?? 0;
    let largest = 0;
    for (const value of curve.values) largest = Math.max(largest, value);
    const bottom = y + SIZES.row / 2 - 1;
    const height = SIZES.row - 3;
    /** @type {number[]} */
    const points = [];
    const first = Math.max(0, lowerBound(curve.at, scale.fromMs) - 1);
    for (let index = first; index < curve.at.length && points.length < 2 * MOST;) {
      const x = scale.x(curve.at[index] ?? 0);
      let value = 0;
      do value = Math.max(value, curve.values[index] ?? 0);
      while (scale.x(curve.at[(index += 1)] ?? Infinity) < x + 1);
      points.push(x, bottom - (value / Math.max(1, largest)) * height);
      if (x > scale.right) break;
    }
    pen.trace(points, 'line-curve');
    const label = `${curve.label}, at most ${Math.round(largest / 1048576)} MiB`;
    pen.text(scale.left + 6, y + 4, label, 'text-soft');
  }
};
