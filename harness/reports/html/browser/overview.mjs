// The strip below the timeline: the whole run, small, with the stretch that is looked at. Dragging moves the stretch.
import { createCanvasPen } from './canvas-pen.mjs';
import { SIZES } from './layout.mjs';
import { createScale } from './scale.mjs';

/** @typedef {import('./model.mjs').Model} Model */

const HEIGHT = 26;

/** @param {Model} model @param {HTMLCanvasElement} canvas @param {() => void} changed */
export const createOverview = (model, canvas, changed) => {
  const scaleOf = () => createScale(model.whole, SIZES.label, canvas.clientWidth - SIZES.label - SIZES.right);
  const move = (/** @type {PointerEvent} */ event) => {
    const atMs = scaleOf().at(event.clientX - canvas.getBoundingClientRect().left);
    model.pan(atMs - (model.window.fromMs + model.window.toMs) / 2);
    changed();
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    move(event);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (canvas.hasPointerCapture(event.pointerId)) move(event);
  });
  /** @param {CanvasRenderingContext2D} context @param {ReadonlyMap<string, string>} colours */
  const draw = (context, colours) => {
    const { view } = model;
    const pen = createCanvasPen(context, colours);
    const scale = scaleOf();
    pen.text(SIZES.label - 8, HEIGHT / 2, 'the whole run', 'text-soft', 'end');
    for (const [index, phase] of view.phases.entries()) {
      pen.rect(
        scale.x(phase.fromMs),
        4,
        Math.max(1, scale.x(phase.toMs) - scale.x(phase.fromMs)),
        HEIGHT - 8,
        index % 2 === 0 ? 'fill-phase-even' : 'fill-phase-odd',
      );
    }
    for (const claim of view.claims) {
      if (claim.outcome !== 'violated' || !claim.interval) continue;
      pen.rect(
        scale.x(claim.interval.fromMs),
        HEIGHT / 2 - 3,
        Math.max(1, scale.x(claim.interval.toMs) - scale.x(claim.interval.fromMs)),
        6,
        'fill-bad',
      );
    }
    for (const mark of view.marks) pen.line(scale.x(mark.atMs), 4, scale.x(mark.atMs), HEIGHT - 4, 'line-mark');
    const [from, to] = [scale.x(model.window.fromMs), scale.x(model.window.toMs)];
    pen.rect(from, 2, Math.max(3, to - from), HEIGHT - 4, 'fill-chosen edge-plain');
  };
  return { draw, height: HEIGHT };
};
