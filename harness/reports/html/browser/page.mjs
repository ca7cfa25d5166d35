// Brings the page to life: takes the data out of it, and ties what is done on the page to what it shows. Without scripts
// the page is whole as it is; with them the static picture makes room for this one.
import { createKeys, listen } from './gestures.mjs';
import { SIZES } from './layout.mjs';
import { createLogPanel } from './log-panel.mjs';
import { createModel } from './model.mjs';
import { unpack } from './pack.mjs';
import { lengthText } from './scale.mjs';
import { createStage } from './stage.mjs';
import { createTelling } from './tell.mjs';

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T} */
const need = (id, kind) => {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
};

const elements = () => ({
  plot: need('timeline', HTMLElement),
  canvas: need('plot', HTMLCanvasElement),
  strip: need('overview', HTMLCanvasElement),
  tip: need('tip', HTMLElement),
  brush: need('brush', HTMLElement),
  moment: need('moment', HTMLElement),
  said: need('said', HTMLElement),
  panel: need('log-panel', HTMLElement),
  lines: need('log-lines', HTMLElement),
  choice: need('log-choice', HTMLSelectElement),
});

const THEMES = ['auto', 'light', 'dark'];

/** @param {() => void} recoloured */
const listenToTheme = (recoloured) => {
  const button = need('theme', HTMLButtonElement);
  button.hidden = false;
  let at = 0;
  button.addEventListener('click', () => {
    at = (at + 1) % THEMES.length;
    const theme = THEMES[at] ?? 'auto';
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    recoloured();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recoloured);
};

/**
 * Keys on the timeline, and the buttons that stand for them.
 * @param {import('./model.mjs').Model} model @param {HTMLElement} plot @param {() => void} told
 */
const listenToKeys = (model, plot, told) => {
  const keys = createKeys(model);
  plot.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys(event.key, event.shiftKey)) return;
    event.preventDefault();
    told();
  });
  for (const button of document.querySelectorAll('button[data-key]')) {
    button.addEventListener('click', () => {
      keys(button.getAttribute('data-key') ?? '', false);
      told();
    });
  }
};

/**
 * From a claim to its interval, from a fact to its moment.
 * @param {import('./model.mjs').Model} model @param {HTMLElement} plot @param {() => void} told
 */
const listenToLinks = (model, plot, told) => {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-show-claim], a[data-ref]') : null;
    if (!link) return;
    event.preventDefault();
    const claim = link.getAttribute('data-show-claim');
    const ref = link.getAttribute('data-ref');
    if (claim !== null) model.chooseClaim(Number(claim));
    if (ref !== null) model.choose(Number(ref));
    plot.scrollIntoView({ block: 'nearest' });
    plot.focus({ preventScroll: true });
    told();
  });
};

const start = () => {
  const view = unpack(JSON.parse(need('view-data', HTMLScriptElement).textContent ?? ''));
  const model = createModel(view);
  const found = elements();
  const { plot, brush } = found;
  const logs = createLogPanel(view, found, (atMs) => {
    model.choose(model.nearest(atMs, model.lane));
    telling.told();
  });
  const stage = createStage(model, found, () => moved());
  const telling = createTelling(model, found, stage, logs);
  const moved = () => {
    telling.leave();
    telling.told();
  };
  const drawBrush = (/** @type {number | null} */ from, /** @type {number} */ to) => {
    brush.hidden = from === null;
    if (from === null) return;
    brush.style.left = `${Math.min(from, to)}px`;
    brush.style.width = `${Math.abs(to - from)}px`;
  };
  listen(plot, model, stage.scale, { ...telling, changed: moved, brush: drawBrush }, SIZES.head);
  listenToKeys(model, plot, moved);
  listenToLinks(model, plot, telling.told);
  listenToTheme(stage.recoloured);
  need('live', HTMLElement).hidden = false;
  need('still', HTMLElement).hidden = true;
  stage.recoloured();
  logs.show(view.observations.at[model.rings[0] ?? -1] ?? model.window.fromMs);
  telling.told();
  document.documentElement.dataset.ready = lengthText(performance.now());
};

try {
  start();
} catch (error) {
  // The page is whole without it; say why it stands still.
  const note = document.getElementById('no-live');
  if (note) {
    note.hidden = false;
    const why = error instanceof Error ? error.message : String(error);
    note.textContent = `The moving timeline could not be started (${why}); the picture below is complete.`;
  }
}
