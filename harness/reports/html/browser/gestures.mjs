// Wheel, drag and pinch on the timeline. Dragging moves it; with Shift held, or on its head, a stretch is drawn and
// zoomed into. Two fingers zoom.

/** @typedef {import('./model.mjs').Model} Model */

/**
 * @typedef {object} On places are in px of the plot
 * @property {() => void} changed
 * @property {() => void} leave
 * @property {(x: number, y: number) => void} hover
 * @property {(x: number, y: number) => void} click
 * @property {(from: number | null, to: number) => void} brush a stretch that is drawn; null: no longer
 */

const CLICK_PX = 4;

/**
 * @param {HTMLElement} plot @param {Model} model @param {() => ReturnType<typeof import('./scale.mjs').createScale>} scale
 * @param {On} on
 * @param {number} headHeight
 */
export const listen = (plot, model, scale, on, headHeight) => {
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  /** @type {{ x: number, y: number, isBrush: boolean, hasMoved: boolean } | null} */
  let drag = null;
  const placeOf = (/** @type {PointerEvent | WheelEvent} */ event) => {
    const box = plot.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  plot.addEventListener(
    'wheel',
    (event) => {
      const { x } = placeOf(event);
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const before = model.window;
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (isSideways) model.pan(((event.deltaX || event.deltaY) * unit) / scale().perMs);
      else model.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY * unit)) * 0.005), scale().at(x));
      // At the whole run and further out there is nothing to zoom: the page scrolls.
      if (before.fromMs === model.window.fromMs && before.toMs === model.window.toMs) return;
      event.preventDefault();
      on.changed();
    },
    { passive: false },
  );
  plot.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const place = placeOf(event);
    pointers.set(event.pointerId, place);
    plot.setPointerCapture(event.pointerId);
    drag = { ...place, isBrush: event.shiftKey || place.y < headHeight, hasMoved: false };
  });
  const pinch = (
    /** @type {{ x: number, y: number }} */ before,
    /** @type {{ x: number, y: number }} */ place,
    /** @type {{ x: number, y: number }} */ other,
  ) => {
    const [was, is] = [Math.abs(before.x - other.x), Math.abs(place.x - other.x)];
    if (was > 8 && is > 8) model.zoom(was / is, scale().at((place.x + other.x) / 2));
    on.changed();
  };
  plot.addEventListener('pointermove', (event) => {
    const place = placeOf(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      on.hover(place.x, place.y);
      return;
    }
    pointers.set(event.pointerId, place);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      pinch(before, place, other);
      return;
    }
    if (!drag) return;
    if (!drag.hasMoved && Math.hypot(place.x - drag.x, place.y - drag.y) < CLICK_PX) return;
    drag.hasMoved = true;
    on.leave();
    if (drag.isBrush) on.brush(drag.x, place.x);
    else {
      model.pan((before.x - place.x) / scale().perMs);
      on.changed();
    }
  });
  const end = (/** @type {PointerEvent} */ event, /** @type {boolean} */ isDone) => {
    const place = placeOf(event);
    pointers.delete(event.pointerId);
    const was = drag;
    drag = null;
    if (!was || pointers.size > 0) return;
    if (was.isBrush) on.brush(null, 0);
    if (isDone && !was.hasMoved) on.click(place.x, place.y);
    else if (isDone && was.isBrush && Math.abs(place.x - was.x) > CLICK_PX) {
      model.show(.../** @type {[number, number]} */ ([scale().at(Math.min(place.x, was.x)), scale().at(Math.max(place.x, was.x))]));
      on.changed();
    }
  };
  plot.addEventListener('pointerup', (event) => end(event, true));
  plot.addEventListener('pointercancel', (event) => end(event, false));
  plot.addEventListener('pointerleave', () => on.leave());
};

/**
 * @param {Model} model
 * @returns {(key: string, isShift: boolean) => boolean} whether the key meant something
 */
export const createKeys = (model) => (key, isShift) => {
  const span = model.spanMs();
  switch (key) {
    case 'ArrowRight':
      model.step(isShift ? 10 : 1);
      return true;
    case 'ArrowLeft':
      model.step(isShift ? -10 : -1);
      return true;
    case 'ArrowDown':
      model.stepLane(1);
      return true;
    case 'ArrowUp':
      model.stepLane(-1);
      return true;
    case 'Home':
      model.choose(model.list()[0] ?? -1);
      return true;
    case 'End':
      model.choose(model.list().at(-1) ?? -1);
      return true;
    case 'PageDown':
      model.pan(span * 0.8);
      return true;
    case 'PageUp':
      model.pan(-span * 0.8);
      return true;
    case '+':
    case '=':
      model.zoom(1 / 1.5, aroundOf(model));
      return true;
    case '-':
    case '_':
      model.zoom(1.5, aroundOf(model));
      return true;
    case '0':
      model.show(model.whole.fromMs, model.whole.toMs);
      return true;
    case 'Enter':
    case ' ': {
      const atMs = model.view.observations.at[model.cursor];
      if (atMs === undefined) model.step(1);
      else model.show(atMs - span / 8, atMs + span / 8);
      return true;
    }
    case 'Escape':
      model.cursor = -1;
      model.lane = null;
      model.rings = [];
      model.claim = -1;
      model.show(model.view.focus.fromMs, model.view.focus.toMs);
      return true;
    default:
      return false;
  }
};

/** What is chosen stays where it is; else the middle does. @param {Model} model */
const aroundOf = (model) => {
  const atMs = model.view.observations.at[model.cursor];
  return atMs === undefined || atMs < model.window.fromMs || atMs > model.window.toMs ? undefined : atMs;
};
