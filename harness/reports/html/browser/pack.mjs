// A view as it stands in the page, and back: long columns hold differences, which are short, and what can be told from
// another column is left out. A run of an hour is some megabytes less.

/** @typedef {import('../../view/view.ts').View} View */

const MICRO = 1000;

/** @param {readonly number[]} values */
const differences = (values) => values.map((value, index) => value - (values[index - 1] ?? 0));

/** @param {readonly number[]} values */
const sums = (values) => {
  let sum = 0;
  return values.map((value) => (sum += value));
};

/** @param {readonly number[]} at in ms, whole microseconds */
const packTimes = (at) => differences(at.map((atMs) => Math.round(atMs * MICRO)));
/** @param {readonly number[]} packed */
const unpackTimes = (packed) => sums(packed).map((micro) => micro / MICRO);

/**
 * Numbers of each actor count up from 1: only what they do beside that is kept.
 * @param {readonly number[]} actor @param {readonly number[]} seq @param {1 | -1} way 1: to pack
 */
const againstCount = (actor, seq, way) => {
  /** @type {Map<number | undefined, number>} */
  const last = new Map();
  return seq.map((value, index) => {
    const expected = (last.get(actor[index]) ?? 0) + 1;
    const result = way === 1 ? value - expected : value + expected;
    last.set(actor[index], way === 1 ? value : result);
    return result;
  });
};

/**
 * Each text as so many characters of the one before, and the rest: counters differ in their last digits.
 * @param {readonly string[]} texts
 */
const packTexts = (texts) => {
  let before = '';
  const shared = texts.map((text) => {
    let same = 0;
    while (same < text.length && same < before.length && text.charCodeAt(same) === before.charCodeAt(same)) same += 1;
    // No character may be cut in two.
    if (same > 0 && /[\ud800-\udbff]/.test(text[same - 1] ?? '')) same -= 1;
    before = text;
    return same;
  });
  return { shared, rest: texts.map((text, index) => text.slice(shared[index])) };
};

/** @param {{ shared: readonly number[], rest: readonly string[] }} packed */
const unpackTexts = ({ shared, rest }) => {
  let before = '';
  return rest.map((text, index) => (before = before.slice(0, shared[index]) + text));
};

/** @param {View} view */
export const pack = (view) => {
  const { at, actor, seq, type, text } = view.observations;
  const isTold = (/** @type {readonly number[]} */ refs, /** @type {readonly number[]} */ times) =>
    refs.length === times.length && refs.every((ref, index) => ref >= 0 && at[ref] === times[index]);
  return {
    ...view,
    texts: packTexts(view.texts),
    observations: { at: packTimes(at), actor, seq: againstCount(actor, seq, 1), type, text: differences(text) },
    lanes: view.lanes.map((lane) => ({
      ...lane,
      ticks: lane.ticks.map((series) => ({
        ...series,
        refs: differences(series.refs),
        at: isTold(series.refs, series.at) ? null : packTimes(series.at),
      })),
      curves: lane.curves.map((curve) => ({ ...curve, at: packTimes(curve.at), values: differences(curve.values) })),
    })),
    // Their text stands in the page already.
    logs: view.logs.map((log) => ({ ...log, text: [] })),
  };
};

/** @param {any} packed what `pack` gave, after JSON @returns {View} */
export const unpack = (packed) => {
  const { observations } = packed;
  const at = unpackTimes(observations.at);
  return {
    ...packed,
    texts: unpackTexts(packed.texts),
    observations: {
      at,
      actor: observations.actor,
      seq: againstCount(observations.actor, observations.seq, -1),
      type: observations.type,
      text: sums(observations.text),
    },
    lanes: packed.lanes.map((/** @type {any} */ lane) => ({
      ...lane,
      ticks: lane.ticks.map((/** @type {any} */ series) => {
        const refs = sums(series.refs);
        return { ...series, refs, at: series.at === null ? refs.map((ref) => at[ref] ?? 0) : unpackTimes(series.at) };
      }),
      curves: lane.curves.map((/** @type {any} */ curve) => ({ ...curve, at: unpackTimes(curve.at), values: sums(curve.values) })),
    })),
  };
};
