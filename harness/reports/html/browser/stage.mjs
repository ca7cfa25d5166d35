// The two canvases: painted when something has changed, at most once a frame, in the page's colours of the moment.
import { coloursOf, createCanvasPen } from './canvas-pen.mjs';
import { SIZES } from './layout.mjs';
import { createOverview } from './overview.mjs';
import { PALETTE } from './palette.mjs';
import { createScale } from './scale.mjs';
import { drawScene } from './scene.mjs';

/** @typedef {import('./model.mjs').Model} Model */

const MOST_PIXELS = 6e7;
const MOST_HIGH = 16_000;

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
const sized = (canvas, width, height) => {
  // A canvas of many lanes on a fine screen would be larger than browsers allow.
  const ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (width * height)), MOST_HIGH / height);
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas can be drawn on');
  context.setTransform(wide / width, 0, 0, high / height, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
};

/**
 * @param {Model} model
 * @param {{ plot: HTMLElement, canvas: HTMLCanvasElement, strip: HTMLCanvasElement }} elements
 * @param {() => void} onMoved the strip was dragged
 */
export const createStage = (model, { plot, canvas, strip }, onMoved) => {
  /** @type {ReadonlyMap<string, string>} */
  let colours = new Map();
  let scale = createScale(model.window, SIZES.label, 100);
  let isAsked = false;
  const names = Object.keys(PALETTE);
  const overview = createOverview(model, strip, onMoved);
  const paint = () => {
    isAsked = false;
    const width = Math.max(1, plot.clientWidth);
    const context = sized(canvas, width, model.layout.height);
    scale = drawScene(createCanvasPen(context, colours), model.view, model.layout, model.window, width, model);
    overview.draw(sized(strip, width, overview.height), colours);
  };
  const changed = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(paint);
  };
  new ResizeObserver(changed).observe(plot);
  return {
    changed,
    /** The colours of the page have changed. */
    recoloured: () => {
      colours = coloursOf(document.documentElement, names);
      changed();
    },
    /** As last painted. */
    scale: () => scale,
  };
};

/** @typedef {ReturnType<typeof createStage>} Stage */
