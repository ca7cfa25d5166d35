// What the page knows and how it changes: the stretch that is looked at, the chosen claim, the chosen observation. Knows no
// document: all of it can be tried without one.
import { laneIdOf, layoutOf, placesOf } from './layout.mjs';
import { lowerBound } from './marks.mjs';

/** @typedef {import('../../view/view.ts').View} View */

/** Closer than this, nothing is told apart: stamps are whole microseconds. */
const SHORTEST_MS = 0.05;

/** @param {View} view */
export const createModel = (view) => {
  const layout = layoutOf(view);
  const places = placesOf(view, layout);
  const laneOf = view.actors.map(laneIdOf);
  /** @type {Map<string, number[]>} */
  const byLane = new Map();
  const every = view.observations.at.map((_, index) => index);
  for (const index of every) {
    const id = laneOf[view.observations.actor[index] ?? 0] ?? 'harness';
    const list = byLane.get(id);
    if (list) list.push(index);
    else byLane.set(id, [index]);
  }
  const wholeMs = Math.max(view.spanMs, 1);
  const whole = { fromMs: -wholeMs * 0.01, toMs: wholeMs * 1.02 };
  const first = view.claims.findIndex((claim) => claim.outcome === 'violated' && claim.interval !== null);
  const model = {
    view,
    layout,
    places,
    byLane,
    whole,
    window: { ...view.focus },
    claim: first,
    cursor: -1,
    /** @type {string | null} */
    lane: null,
    /** @type {readonly number[]} */
    rings: view.claims[first]?.evidence ?? [],
  };

  /** @param {number} fromMs @param {number} toMs */
  const show = (fromMs, toMs) => {
    const span = Math.min(whole.toMs - whole.fromMs, Math.max(SHORTEST_MS, toMs - fromMs));
    const middle = (fromMs + toMs) / 2;
    const from = Math.min(Math.max(middle - span / 2, whole.fromMs), whole.toMs - span);
    model.window = { fromMs: from, toMs: from + span };
  };
  const spanMs = () => model.window.toMs - model.window.fromMs;
  /** @param {number} factor below 1: closer @param {number} aroundMs stays where it is */
  const zoom = (factor, aroundMs = (model.window.fromMs + model.window.toMs) / 2) => {
    const { fromMs, toMs } = model.window;
    const kept = Math.min(Math.max(factor, SHORTEST_MS / spanMs()), (whole.toMs - whole.fromMs) / spanMs());
    show(aroundMs - (aroundMs - fromMs) * kept, aroundMs + (toMs - aroundMs) * kept);
  };
  /** @param {number} ms */
  const pan = (ms) => show(model.window.fromMs + ms, model.window.toMs + ms);
  /** @param {number} ref */
  const choose = (ref) => {
    model.cursor = ref;
    const atMs = view.observations.at[ref] ?? 0;
    const room = spanMs() * 0.05;
    if (ref >= 0 && (atMs < model.window.fromMs + room || atMs > model.window.toMs - room))
      pan(atMs - (model.window.fromMs + model.window.toMs) / 2);
  };
  const list = () => (model.lane === null ? every : (byLane.get(model.lane) ?? []));
  /** @param {number} by */
  const step = (by) => {
    const all = list();
    if (all.length === 0) return;
    const at = lowerBound(all, model.cursor);
    if (model.cursor < 0) {
      const times = view.observations.at;
      const from = all.findIndex((index) => (times[index] ?? 0) >= model.window.fromMs);
      choose(all[Math.max(0, from)] ?? -1);
      return;
    }
    const isThere = all[at] === model.cursor;
    const next = by > 0 ? at + by - (isThere ? 0 : 1) : at + by;
    choose(all[Math.min(all.length - 1, Math.max(0, next))] ?? -1);
  };
  const lanes = [null, ...layout.lanes.map(({ lane }) => lane.id).filter((id) => byLane.has(id))];
  /** @param {number} by */
  const stepLane = (by) => {
    const at = lanes.indexOf(model.lane);
    model.lane = lanes[(at + by + lanes.length) % lanes.length] ?? null;
  };
  /** @param {number} index */
  const chooseClaim = (index) => {
    const claim = view.claims[index];
    if (!claim) return;
    model.claim = index;
    model.rings = claim.evidence;
    const times = claim.evidence.map((ref) => view.observations.at[ref] ?? 0);
    const all = [...times, ...(claim.interval ? [claim.interval.fromMs, claim.interval.toMs] : [])];
    if (all.length > 0) {
      const [from, to] = [Math.min(...all), Math.max(...all)];
      const room = Math.max((to - from) * 0.15, 5);
      show(from - room, to + room);
    }
    model.cursor = claim.evidence[0] ?? -1;
  };
  /** The observation nearest to a moment, of one lane or of all. @param {number} atMs @param {string | null} lane */
  const nearest = (atMs, lane) => {
    const all = lane === null ? every : (byLane.get(lane) ?? []);
    let [low, high] = [0, all.length];
    const timeOf = (/** @type {number} */ index) => view.observations.at[all[index] ?? 0] ?? 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(middle) < atMs) low = middle + 1;
      else high = middle;
    }
    const after = low < all.length ? low : all.length - 1;
    const before = Math.max(0, low - 1);
    return all[Math.abs(timeOf(before) - atMs) <= Math.abs(timeOf(after) - atMs) ? before : after] ?? -1;
  };
  return Object.assign(model, { show, zoom, pan, choose, step, stepLane, chooseClaim, nearest, spanMs, list });
};

/** @typedef {ReturnType<typeof createModel>} Model */
