// Brings the page to life: takes the data out of it, paints, listens. Without scripts the page is whole as it is; with
// them the static picture makes room for this one. Every text is put in as text.
import { coloursOf, createCanvasPen } from './canvas-pen.mjs';
import { createKeys, listen } from './gestures.mjs';
import { hitAt } from './hit.mjs';
import { SIZES } from './layout.mjs';
import { createLogPanel } from './log-panel.mjs';
import { createModel } from './model.mjs';
import { createOverview } from './overview.mjs';
import { unpack } from './pack.mjs';
import { PALETTE } from './palette.mjs';
import { createScale, lengthText } from './scale.mjs';
import { drawScene } from './scene.mjs';
import { hitWords, observationWords, spoken } from './words.mjs';

/** @template {Element} T @param {string} id @param {new () => T} kind @returns {T} */
const need = (id, kind) => {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
};

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
const sized = (canvas, width, height) => {
  // A canvas of many lanes on a fine screen would be larger than browsers allow.
  const ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(6e7 / (width * height)), 16_000 / height);
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas can be drawn on');
  context.setTransform(wide / width, 0, 0, high / height, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
};

const THEMES = ['auto', 'light', 'dark'];

/** @param {() => void} changed */
const listenToTheme = (changed) => {
  const button = need('theme', HTMLButtonElement);
  button.hidden = false;
  let at = 0;
  button.addEventListener('click', () => {
    at = (at + 1) % THEMES.length;
    const theme = THEMES[at] ?? 'auto';
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    changed();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
};

const start = () => {
  const view = unpack(JSON.parse(need('view-data', HTMLScriptElement).textContent ?? ''));
  const model = createModel(view);
  const [plot, canvas, strip] = [need('timeline', HTMLElement), need('plot', HTMLCanvasElement), need('overview', HTMLCanvasElement)];
  const [tip, brush, moment, said] = [need('tip', HTMLElement), need('brush', HTMLElement), need('moment', HTMLElement), need('said', HTMLElement)];
  /** @type {ReadonlyMap<string, string>} */
  let colours = new Map();
  let scale = createScale(model.window, SIZES.label, 100);
  let isAsked = false;
  const names = Object.keys(PALETTE);
  const freshColours = () => {
    colours = coloursOf(document.documentElement, names);
    changed();
  };

  const paint = () => {
    isAsked = false;
    const width = plot.clientWidth;
    const { height } = model.layout;
    const context = sized(canvas, width, height);
    scale = drawScene(createCanvasPen(context, colours), view, model.layout, model.window, width, model);
    overview.draw(sized(strip, width, overview.height), colours);
  };
  const changed = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(paint);
  };

  const logs = createLogPanel(
    view, { panel: need('log-panel', HTMLElement), lines: need('log-lines', HTMLElement), choice: need('log-choice', HTMLSelectElement) },
    (atMs) => {
      model.choose(model.nearest(atMs, model.lane));
      told();
    },
  );
  const overview = createOverview(model, strip, changed);

  /** Says what is chosen, to eyes and ears, and paints. */
  const told = () => {
    const { cursor, lane } = model;
    said.textContent = cursor < 0 ? (lane === null ? 'Nothing chosen: all lanes.' : `Lane ${lane}.`) : `${lane === null ? '' : `${lane}: `}${spoken(view, cursor)}`;
    moment.replaceChildren();
    if (cursor >= 0) {
      const { name, when, at, text } = observationWords(view, cursor);
      const [code, strong] = [document.createElement('code'), document.createElement('strong')];
      code.textContent = name;
      strong.textContent = when;
      moment.append(strong, ` (at ${at}) `, code, ` ${text}`);
      logs.show(view.observations.at[cursor] ?? 0);
    } else moment.textContent = 'Choose a moment: click on it, or step with the arrow keys.';
    for (const row of document.querySelectorAll('[data-claim]')) row.classList.toggle('chosen', Number(row.getAttribute('data-claim')) === model.claim);
    plot.dataset.cursor = cursor < 0 ? '' : observationWords(view, cursor).name;
    plot.dataset.lane = model.lane ?? '';
    plot.dataset.from = String(model.window.fromMs);
    plot.dataset.to = String(model.window.toMs);
    changed();
  };

  const leave = () => {
    tip.hidden = true;
  };
  const hover = (/** @type {number} */ x, /** @type {number} */ y) => {
    const found = x < SIZES.label ? null : hitAt(model, scale, x, y);
    const hit = found?.hit;
    tip.hidden = !hit;
    if (!hit) return;
    tip.replaceChildren(...hitWords(view, hit).map((text, index) => {
      const line = document.createElement(index === 0 ? 'strong' : 'span');
      line.textContent = text;
      return line;
    }));
    const left = Math.min(x + 14, plot.clientWidth - tip.offsetWidth - 4);
    const top = y + 18 + tip.offsetHeight > plot.clientHeight ? y - tip.offsetHeight - 8 : y + 18;
    tip.style.transform = `translate(${Math.max(2, left)}px, ${Math.max(2, top)}px)`;
  };
  const click = (/** @type {number} */ x, /** @type {number} */ y) => {
    const found = hitAt(model, scale, x, y);
    if (x < SIZES.label) model.lane = found && model.byLane.has(found.lane) && model.lane !== found.lane ? found.lane : null;
    else {
      const ref = found?.hit && found.hit.fromMs === found.hit.toMs ? found.hit.ref : -1;
      const lane = found && model.byLane.has(found.lane) ? found.lane : null;
      model.choose(ref >= 0 ? ref : model.nearest(scale.at(x), lane));
    }
    told();
  };
  listen(plot, model, () => scale, {
    changed: () => {
      leave();
      told();
    },
    hover, leave, click,
    brush: (from, to) => {
      brush.hidden = from === null;
      if (from === null) return;
      brush.style.left = `${Math.min(from, to)}px`;
      brush.style.width = `${Math.abs(to - from)}px`;
    },
  }, SIZES.head);

  const keys = createKeys(model);
  plot.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys(event.key, event.shiftKey)) return;
    event.preventDefault();
    leave();
    told();
  });
  for (const button of document.querySelectorAll('button[data-key]')) {
    button.addEventListener('click', () => {
      keys(button.getAttribute('data-key') ?? '', false);
      told();
    });
  }
  const bring = () => {
    plot.scrollIntoView({ block: 'nearest' });
    plot.focus({ preventScroll: true });
  };
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-show-claim], a[data-ref]') : null;
    if (!link) return;
    event.preventDefault();
    const claim = link.getAttribute('data-show-claim');
    const ref = link.getAttribute('data-ref');
    if (claim !== null) model.chooseClaim(Number(claim));
    if (ref !== null) model.choose(Number(ref));
    bring();
    told();
  });
  listenToTheme(freshColours);
  new ResizeObserver(changed).observe(plot);
  need('live', HTMLElement).hidden = false;
  need('still', HTMLElement).hidden = true;
  freshColours();
  logs.show(view.observations.at[model.rings[0] ?? -1] ?? model.window.fromMs);
  told();
  document.documentElement.dataset.ready = lengthText(performance.now());
};

try {
  start();
} catch (error) {
  // The page is whole without it; say why it stands still.
  const note = document.getElementById('no-live');
  if (note) {
    note.hidden = false;
    note.textContent = `The moving timeline could not be started (${error instanceof Error ? error.message : String(error)}); the picture below is complete.`;
  }
}
