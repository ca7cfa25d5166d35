// Which lane and which row lies where. The same for every width and every stretch of time.

/** @typedef {import('../../view/view.ts').View} View */
/** @typedef {import('../../view/view.ts').Lane} Lane */
/** @typedef {{ lane: Lane, top: number, height: number, rows: readonly number[] }} Placed */

export const SIZES = { label: 148, right: 14, head: 46, row: 20, lanePad: 5, axis: 24, bar: 12 };

/** Narrow letters of a system's font at 11 px; what is too long is cut before it is drawn. */
export const LETTER = 6.1;

/** @param {string} text @param {number} width */
export const fitted = (text, width) => {
  const room = Math.floor(width / LETTER);
  return text.length <= room ? text : room < 4 ? '' : `${text.slice(0, room - 1)}…`;
};

/** The claims that were violated for a while, drawn as a lane of its own above all others. @param {View} view @returns {Lane | null} */
export const violatedLane = (view) => {
  const claims = view.claims.filter((claim) => claim.outcome === 'violated' && claim.interval !== null);
  if (claims.length === 0) return null;
  return {
    id: 'violated',
    kind: 'harness',
    name: 'violated',
    rows: claims.map(() => ''),
    ticks: [],
    points: [],
    curves: [],
    leftOut: null,
    bars: claims.map((claim, row) => ({
      row,
      fromMs: claim.interval?.fromMs ?? 0,
      toMs: claim.interval?.toMs ?? 0,
      tone: claim.standing === null ? 'bad' : 'warn',
      label: claim.title,
      ref: claim.evidence[0] ?? -1,
    })),
  };
};

/** A lane without anything in it says nothing, but for clients, upstreams and the ledger, where that is telling. @param {Lane} lane */
const isShown = (lane) =>
  lane.bars.length + lane.ticks.length + lane.points.length + lane.curves.length > 0 ||
  ['client', 'upstream', 'ledger'].includes(lane.kind);

/** @param {Lane} lane rows after the last that holds something are not drawn */
const rowsOf = (lane) => {
  const used = [...lane.bars, ...lane.ticks, ...lane.points, ...lane.curves].reduce((last, { row }) => Math.max(last, row), 0);
  return Math.min(lane.rows.length, used + 1);
};

/** @param {View} view */
export const layoutOf = (view) => {
  const violated = violatedLane(view);
  let top = SIZES.head;
  const lanes = [...(violated ? [violated] : []), ...view.lanes.filter(isShown)].map((lane) => {
    const count = rowsOf(lane);
    const height = count * SIZES.row + 2 * SIZES.lanePad;
    const placed = { lane, top, height, rows: Array.from({ length: count }, (_, row) => placedTop(top, row)) };
    top += height;
    return placed;
  });
  return { lanes, bottom: top, height: top + SIZES.axis };
};

/** The middle of a row. @param {number} top @param {number} row */
const placedTop = (top, row) => top + SIZES.lanePad + row * SIZES.row + SIZES.row / 2;

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * The lane that an observation belongs to by its actor, where nothing of it is drawn.
 * @param {string} actor
 */
export const laneIdOf = (actor) => {
  if (/^(client|upstream)\./.test(actor)) return actor;
  if (actor.startsWith('probe.')) return actor.slice('probe.'.length);
  return actor.startsWith('system') ? 'system' : 'harness';
};

/**
 * Where each observation is drawn: x by its time, y by what stands for it.
 * @param {View} view @param {Layout} layout
 * @returns {Map<number, number>} y by observation; what nothing stands for is in the first row of its actor's lane
 */
export const placesOf = (view, layout) => {
  const places = new Map();
  const tops = new Map(layout.lanes.map(({ lane, rows }) => [lane.id, rows[0] ?? 0]));
  const byActor = view.actors.map((actor) => tops.get(laneIdOf(actor)));
  for (const { lane, rows } of layout.lanes) {
    if (lane.id === 'violated') continue;
    const put = (/** @type {number} */ ref, /** @type {number} */ row) => {
      if (ref >= 0 && !places.has(ref)) places.set(ref, rows[row] ?? rows[0]);
    };
    for (const point of lane.points) put(point.ref, point.row);
    for (const series of lane.ticks) for (const ref of series.refs) put(ref, series.row);
    for (const bar of lane.bars) put(bar.ref, bar.row);
  }
  for (const [index, actor] of view.observations.actor.entries()) {
    const top = byActor[actor];
    if (top !== undefined && !places.has(index)) places.set(index, top);
  }
  return places;
};
