// Draws a view with a pen. The pen may write SVG or paint a canvas: what is seen is the same. Everything is drawn by
// column of pixels: however many facts there are, no more is drawn than can be seen.
import { LETTER, SIZES, fitted } from './layout.mjs';
import { drawBarWords, drawBars, drawCurves, drawPoints, drawTicks } from './marks.mjs';
import { axisText, createScale, lengthText, ticksOf } from './scale.mjs';

/** @typedef {import('../../view/view.ts').View} View */
/** @typedef {import('./layout.mjs').Layout} Layout */
/** @typedef {import('./layout.mjs').Placed} Placed */
/** @typedef {import('./scale.mjs').Window} Window */

/**
 * Classes name colours: `fill-bad`, `line-plain`, `text-soft`; a pen looks them up.
 * @typedef {object} Pen
 * @property {(x: number, y: number, width: number, height: number, look: string, title?: string) => void} rect
 * @property {(x1: number, y1: number, x2: number, y2: number, look: string) => void} line
 * @property {(x: number, y: number, text: string, look: string, anchor?: 'start' | 'middle' | 'end') => void} text
 * @property {(x: number, y: number, path: string, isFilled: boolean, tone: string, title?: string) => void} sign
 * @property {(points: readonly number[], look: string) => void} trace x and y in turn
 * @property {(left: number, top: number, right: number, bottom: number, draw: () => void) => void} clip
 */

/**
 * @typedef {object} State
 * @property {number} claim index of the claim whose interval is shaded, -1: none
 * @property {readonly number[]} rings observations to be ringed
 * @property {number} cursor observation that is chosen, -1: none
 * @property {string | null} lane the lane that is stepped through
 * @property {ReadonlyMap<number, number>} places y of observations
 */

/** @param {Pen} pen @param {View} view @param {ReturnType<typeof createScale>} scale */
const drawPhases = (pen, view, scale) => {
  for (const [index, phase] of view.phases.entries()) {
    const [from, to] = [Math.max(scale.left, scale.x(phase.fromMs)), Math.min(scale.right, scale.x(phase.toMs))];
    if (to <= from) continue;
    const title = `phase ${phase.name}: ${lengthText(phase.toMs - phase.fromMs)}`;
    pen.rect(from, 2, to - from, 16, index % 2 === 0 ? 'fill-phase-even' : 'fill-phase-odd', title);
    const text = fitted(phase.name, to - from - 6);
    if (text) pen.text((from + to) / 2, 10, text, 'text-soft', 'middle');
  }
};

/** @param {Pen} pen @param {View} view @param {ReturnType<typeof createScale>} scale @param {number} bottom */
const drawMarks = (pen, view, scale, bottom) => {
  let freeX = -Infinity;
  for (const mark of view.marks) {
    const x = scale.x(mark.atMs);
    if (x < scale.left || x > scale.right) continue;
    pen.line(x, 39, x, bottom, 'line-mark');
    const label = mark.client === null ? mark.name : `${mark.name} (${mark.client})`;
    const width = label.length * LETTER + 12;
    const wanted = Math.min(Math.max(x - width / 2, scale.left), scale.right - width);
    const from = Math.max(wanted, freeX);
    // A name that would stand far from its line says nothing about it.
    if (from - wanted > width / 2 + 4 || from + width > scale.right + SIZES.right) continue;
    pen.rect(from, 22, width, 17, 'fill-mark', `mark ${label} at ${lengthText(mark.atMs)}`);
    pen.text(from + width / 2, 31, label, 'text-mark', 'middle');
    freeX = from + width + 3;
  }
};

/** @param {ReturnType<typeof createScale>} scale */
const axisOf = (scale) => ticksOf(scale, Math.max(2, (scale.right - scale.left) / 110));

/** @param {Pen} pen @param {ReturnType<typeof createScale>} scale @param {Layout} layout */
const drawGrid = (pen, scale, layout) => {
  for (const atMs of axisOf(scale).at) pen.line(scale.x(atMs), SIZES.head, scale.x(atMs), layout.bottom, 'line-grid');
  pen.line(scale.left, layout.bottom, scale.right, layout.bottom, 'line-soft');
};

/** @param {Pen} pen @param {ReturnType<typeof createScale>} scale @param {Layout} layout */
const drawAxis = (pen, scale, layout) => {
  const { step, at } = axisOf(scale);
  for (const atMs of at) {
    const x = scale.x(atMs);
    pen.line(x, layout.bottom, x, layout.bottom + 5, 'line-soft');
    const text = axisText(atMs, step);
    const half = (text.length * LETTER) / 2;
    if (x - half >= scale.left - 4 && x + half <= scale.right + SIZES.right) pen.text(x, layout.bottom + 14, text, 'text-soft', 'middle');
  }
};

/** @param {Pen} pen @param {Layout} layout @param {number} width @param {string | null} chosen */
const drawLaneGrounds = (pen, layout, width, chosen) => {
  for (const [index, { lane, top, height }] of layout.lanes.entries()) {
    if (index % 2 === 1) pen.rect(0, top, width, height, 'fill-lane');
    if (lane.id === chosen) pen.rect(0, top, 3, height, 'fill-focus');
    pen.line(0, top, width, top, 'line-lane');
  }
};

const KINDS = { client: 'client', upstream: 'upstream', system: '', ledger: '', sockets: '', process: '', harness: '' };

/** @param {Pen} pen @param {Layout} layout */
const drawLabels = (pen, layout) => {
  for (const { lane, rows } of layout.lanes) {
    const kind = KINDS[lane.kind];
    const [first = 0] = rows;
    const rowNames = lane.rows.slice(0, rows.length);
    const name = kind === '' || lane.id === 'violated' ? lane.name : `${kind} ${lane.name}`;
    const side = rowNames[0] === '' || rowNames.length === 1 ? '' : (rowNames[0] ?? '');
    const room = SIZES.label - 16 - (side === '' ? 0 : side.length * LETTER + 8);
    pen.text(8, first, fitted(name, room), lane.id === 'violated' ? 'text-bad-strong' : 'text-strong');
    for (const [row, y] of rows.entries()) {
      const text = rowNames[row] ?? '';
      const isRepeated = row > 0 && text === rowNames[row - 1];
      if (text === '' || isRepeated || rowNames.length === 1) continue;
      pen.text(SIZES.label - 8, y, fitted(text, row === 0 ? 90 : SIZES.label - 16), 'text-soft', 'end');
    }
  }
};

/**
 * The violated interval of the chosen claim: pale over all, stronger in the lanes of its evidence.
 * @param {Pen} pen @param {View} view @param {Layout} layout @param {ReturnType<typeof createScale>} scale @param {number} index
 */
const drawViolated = (pen, view, layout, scale, index) => {
  const claim = view.claims[index];
  if (!claim?.interval) return;
  const [from, to] = [Math.max(scale.left, scale.x(claim.interval.fromMs)), Math.min(scale.right, scale.x(claim.interval.toMs))];
  if (to < from) return;
  const look = claim.outcome === 'violated' ? 'violated' : 'chosen';
  pen.rect(from, SIZES.head, Math.max(1, to - from), layout.bottom - SIZES.head, `fill-${look}`);
  for (const { lane, top, height } of layout.lanes) {
    if (claim.lanes.includes(lane.id)) pen.rect(from, top + 1, Math.max(1, to - from), height - 1, `fill-${look}-lane`);
  }
  for (const x of [from, Math.max(from + 1, to)]) pen.line(x, SIZES.head, x, layout.bottom, `line-${look}`);
};

/** @param {Pen} pen @param {View} view @param {Layout} layout @param {ReturnType<typeof createScale>} scale @param {State} state */
const drawChosen = (pen, view, layout, scale, state) => {
  const yOf = (/** @type {number} */ ref) => state.places.get(ref) ?? layout.bottom - 4;
  const xOf = (/** @type {number} */ ref) => scale.x(view.observations.at[ref] ?? 0);
  for (const ref of state.rings) pen.sign(xOf(ref), yOf(ref), 'M-9,0A9,9 0 1 0 9,0A9,9 0 1 0 -9,0Z', false, 'ring');
  if (state.cursor < 0) return;
  const x = xOf(state.cursor);
  pen.line(x, SIZES.head - 4, x, layout.bottom, 'line-cursor');
  pen.sign(x, yOf(state.cursor), 'M-9,0A9,9 0 1 0 9,0A9,9 0 1 0 -9,0Z', false, 'cursor');
};

/**
 * @param {Pen} pen @param {View} view @param {Layout} layout
 * @param {Window} window @param {number} width @param {State} state
 */
export const drawScene = (pen, view, layout, window, width, state) => {
  const scale = createScale(window, SIZES.label, width - SIZES.label - SIZES.right);
  drawLaneGrounds(pen, layout, width, state.lane);
  pen.clip(scale.left - 1, 0, scale.right + 1, layout.height, () => {
    drawGrid(pen, scale, layout);
    drawPhases(pen, view, scale);
    drawViolated(pen, view, layout, scale, state.claim);
    for (const placed of layout.lanes) {
      drawCurves(pen, placed, scale);
      drawBars(pen, placed, scale);
      drawTicks(pen, placed, scale);
      drawBarWords(pen, placed, scale);
      drawPoints(pen, placed, scale);
    }
    drawMarks(pen, view, scale, layout.bottom);
    drawChosen(pen, view, layout, scale, state);
  });
  drawAxis(pen, scale, layout);
  drawLabels(pen, layout);
  return scale;
};
