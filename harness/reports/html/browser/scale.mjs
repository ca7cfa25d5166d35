// The axis: where a moment stands, and which moments are named on it. Shared by the static picture and the page.

/** @typedef {{ fromMs: number, toMs: number }} Window */

/**
 * @param {Window} window
 * @param {number} left @param {number} width both in px
 */
export const createScale = ({ fromMs, toMs }, left, width) => {
  const perMs = width / Math.max(toMs - fromMs, 1e-6);
  return {
    left,
    right: left + width,
    perMs,
    fromMs,
    toMs,
    /** @param {number} atMs */
    x: (atMs) => left + (atMs - fromMs) * perMs,
    /** @param {number} x */
    at: (x) => fromMs + (x - left) / perMs,
  };
};

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const SECOND = 1000;
const LONG_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200].map((seconds) => seconds * SECOND);

/** The step of the axis: round in seconds and minutes, as people count time. @param {number} spanMs @param {number} count */
export const stepOf = (spanMs, count) => {
  const wanted = spanMs / Math.max(1, count);
  const fine = [...[0.001, 0.01, 0.1].flatMap((unit) => [unit, 2 * unit, 5 * unit]), ...STEPS];
  return [...fine, ...LONG_STEPS].find((step) => step >= wanted) ?? Math.ceil(wanted / 7.2e6) * 7.2e6;
};

/** @param {Window} window @param {number} count about so many */
export const ticksOf = ({ fromMs, toMs }, count) => {
  const step = stepOf(toMs - fromMs, count);
  const first = Math.ceil(fromMs / step - 1e-9);
  const length = Math.max(0, Math.min(200, Math.floor(toMs / step + 1e-9) - first + 1));
  return { step, at: Array.from({ length }, (_, index) => (first + index) * step) };
};

/** @param {number} value @param {number} digits */
const fixed = (value, digits) => value.toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1');

/**
 * A moment as the axis names it, as fine as its step: `1.25 s`, `3:20`, `1:03:20`.
 * @param {number} atMs @param {number} step
 */
export const axisText = (atMs, step) => {
  if (step < 1) return `${fixed(atMs, step < 0.01 ? 3 : step < 0.1 ? 2 : 1)} ms`;
  if (Math.abs(atMs) >= 120 * SECOND || step >= 60 * SECOND) {
    const seconds = Math.abs(atMs) / SECOND;
    const rest =
      step < SECOND
        ? fixed(seconds % 60, step < 10 ? 3 : step < 100 ? 2 : 1).padStart(step < 10 ? 6 : step < 100 ? 5 : 4, '0')
        : String(Math.round(seconds % 60)).padStart(2, '0');
    const minutes = Math.floor(seconds / 60);
    const clock = minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
    return atMs < 0 ? `-${clock}` : clock;
  }
  return `${fixed(atMs / SECOND, step < 10 ? 3 : step < 100 ? 2 : step < SECOND ? 1 : 0)} s`;
};

/** A length of time: `850 ms`, `6.02 s`, `2.5 min`. @param {number} ms */
export const lengthText = (ms) => {
  const size = Math.abs(ms);
  if (size < 10) return `${fixed(ms, 2)} ms`;
  if (size < SECOND) return `${fixed(ms, 0)} ms`;
  return size < 120 * SECOND ? `${fixed(ms / SECOND, 2)} s` : `${fixed(ms / 60 / SECOND, 1)} min`;
};

/**
 * A moment by the last mark before it, or the first after: `gone + 1.20 s`.
 * @param {readonly { name: string, atMs: number }[]} marks @param {number} atMs
 */
export const relativeText = (marks, atMs) => {
  const mark = marks.findLast((each) => each.atMs <= atMs) ?? marks[0];
  if (!mark) return `start + ${lengthText(atMs)}`;
  return atMs >= mark.atMs ? `${mark.name} + ${lengthText(atMs - mark.atMs)}` : `${mark.name} - ${lengthText(mark.atMs - atMs)}`;
};
