// What lies under the pointer.
import { lowerBound } from './marks.mjs';

/** @typedef {import('./model.mjs').Model} Model */
/** @typedef {{ label: string, ref: number, fromMs: number, toMs: number }} Hit */

const REACH = 7;

/**
 * @param {Model} model @param {ReturnType<typeof import('./scale.mjs').createScale>} scale
 * @param {number} x @param {number} y
 * @returns {{ lane: string, hit: Hit | null } | null} null: no lane is there
 */
export const hitAt = (model, scale, x, y) => {
  const placed = model.layout.lanes.find(({ top, height }) => y >= top && y < top + height);
  if (!placed) return null;
  const { lane, rows } = placed;
  const row = rows.reduce((best, middle, index) => (Math.abs(middle - y) < Math.abs((rows[best] ?? 0) - y) ? index : best), 0);
  /** @type {Hit | null} */
  let found = null;
  let best = REACH + 1;
  const offer = (/** @type {number} */ distance, /** @type {Hit} */ hit) => {
    if (distance >= best) return;
    best = distance;
    found = hit;
  };
  for (const point of lane.points) {
    const distance = Math.abs(scale.x(point.atMs) - x);
    if (point.row === row && distance <= REACH)
      offer(distance, { label: point.label, ref: point.ref, fromMs: point.atMs, toMs: point.atMs });
  }
  for (const series of lane.ticks) {
    if (series.row !== row) continue;
    const from = lowerBound(series.at, scale.at(x - 4));
    for (let index = from; index < Math.min(series.at.length, from + 50); index += 1) {
      const atMs = series.at[index] ?? 0;
      const distance = Math.abs(scale.x(atMs) - x);
      if (distance <= 4) offer(distance, { label: series.label, ref: series.refs[index] ?? -1, fromMs: atMs, toMs: atMs });
    }
  }
  if (!found) {
    const atMs = scale.at(x);
    const bar = lane.bars.findLast(
      (each) => each.row === row && each.fromMs - 1 / scale.perMs <= atMs && each.toMs + 1 / scale.perMs >= atMs,
    );
    if (bar) found = { label: bar.label, ref: bar.ref, fromMs: bar.fromMs, toMs: bar.toMs };
  }
  return { lane: lane.id, hit: found };
};
