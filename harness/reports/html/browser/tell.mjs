// Says what is chosen and what lies under the pointer, to eyes and ears. Every text is put in as text.
import { hitAt } from './hit.mjs';
import { SIZES } from './layout.mjs';
import { hitWords, observationWords, spoken } from './words.mjs';

/** @typedef {import('./model.mjs').Model} Model */

/** @param {string} name @param {string} text */
const element = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

/** @param {Model} model */
const saidOf = ({ view, cursor, lane }) => {
  if (cursor < 0) return lane === null ? 'Nothing chosen: all lanes.' : `Lane ${lane}.`;
  return `${lane === null ? '' : `${lane}: `}${spoken(view, cursor)}`;
};

/**
 * What the script knows is told to whoever looks at the page's elements too.
 * @param {Model} model @param {HTMLElement} plot
 */
const mark = (model, plot) => {
  plot.dataset.cursor = model.cursor < 0 ? '' : observationWords(model.view, model.cursor).name;
  plot.dataset.lane = model.lane ?? '';
  plot.dataset.from = String(model.window.fromMs);
  plot.dataset.to = String(model.window.toMs);
  for (const row of document.querySelectorAll('[data-claim]')) {
    row.classList.toggle('chosen', Number(row.getAttribute('data-claim')) === model.claim);
  }
};

/**
 * @param {Model} model
 * @param {{ plot: HTMLElement, tip: HTMLElement, moment: HTMLElement, said: HTMLElement }} elements
 * @param {import('./stage.mjs').Stage} stage
 * @param {{ show: (atMs: number) => void }} logs
 */
export const createTelling = (model, { plot, tip, moment, said }, stage, logs) => {
  const { view } = model;
  const told = () => {
    said.textContent = saidOf(model);
    if (model.cursor >= 0) {
      const { name, when, at, text } = observationWords(view, model.cursor);
      moment.replaceChildren(element('strong', when), ` (at ${at}) `, element('code', name), ` ${text}`);
      logs.show(view.observations.at[model.cursor] ?? 0);
    } else moment.textContent = 'Choose a moment: click on it, or step with the arrow keys.';
    mark(model, plot);
    stage.changed();
  };
  const leave = () => {
    tip.hidden = true;
  };
  const hover = (/** @type {number} */ x, /** @type {number} */ y) => {
    const hit = x < SIZES.label ? null : hitAt(model, stage.scale(), x, y)?.hit;
    tip.hidden = !hit;
    if (!hit) return;
    tip.replaceChildren(...hitWords(view, hit).map((text, index) => element(index === 0 ? 'strong' : 'span', text)));
    const left = Math.min(x + 14, plot.clientWidth - tip.offsetWidth - 4);
    const top = y + 18 + tip.offsetHeight > plot.clientHeight ? y - tip.offsetHeight - 8 : y + 18;
    tip.style.transform = `translate(${Math.max(2, left)}px, ${Math.max(2, top)}px)`;
  };
  /** On a lane's name: that lane alone, or all again. Elsewhere: what lies there, or is nearest. */
  const click = (/** @type {number} */ x, /** @type {number} */ y) => {
    const found = hitAt(model, stage.scale(), x, y);
    const lane = found && model.byLane.has(found.lane) ? found.lane : null;
    if (x < SIZES.label) model.lane = model.lane === lane ? null : lane;
    else {
      const ref = found?.hit && found.hit.fromMs === found.hit.toMs ? found.hit.ref : -1;
      model.choose(ref >= 0 ? ref : model.nearest(stage.scale().at(x), lane));
    }
    told();
  };
  return { told, leave, hover, click };
};
