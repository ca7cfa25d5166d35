// An observation, or what lies under the pointer, in words.
import { lengthText, relativeText } from './scale.mjs';

/** @typedef {import('./model.mjs').Model} Model */

/** `actor#seq`, as verdicts name it. @param {Model['view']} view @param {number} ref */
export const nameOf = (view, ref) => `${view.actors[view.observations.actor[ref] ?? 0] ?? ''}#${view.observations.seq[ref]}`;

/** @param {Model['view']} view @param {number} ref */
export const observationWords = (view, ref) => {
  const atMs = view.observations.at[ref] ?? 0;
  return {
    name: nameOf(view, ref),
    when: relativeText(view.marks, atMs),
    at: lengthText(atMs),
    text: view.texts[view.observations.text[ref] ?? 0] ?? '',
  };
};

/** @param {Model['view']} view @param {number} ref */
export const spoken = (view, ref) => {
  const { name, when, text } = observationWords(view, ref);
  return `${when}, ${name}: ${text}`;
};

/** @param {Model['view']} view @param {import('./hit.mjs').Hit} hit @returns {readonly string[]} lines */
export const hitWords = (view, hit) => {
  const when =
    hit.fromMs === hit.toMs
      ? relativeText(view.marks, hit.fromMs)
      : `${relativeText(view.marks, hit.fromMs)} to ${relativeText(view.marks, hit.toMs)}, ${lengthText(hit.toMs - hit.fromMs)}`;
  const fact = hit.ref < 0 ? [] : [`${nameOf(view, hit.ref)}  ${observationWords(view, hit.ref).text}`];
  return [hit.label, when, ...fact];
};
