// The logs beside the axis: the lines around the chosen moment. Their text is taken from where it stands in the page
// for readers without scripts; it is put in as text, never as markup.
import { lowerBound } from './marks.mjs';
import { lengthText } from './scale.mjs';

/** @typedef {import('../../view/view.ts').View} View */

/** So many lines before and after are there to be scrolled. */
const AROUND = 60;

/**
 * @param {View} view
 * @param {{ panel: HTMLElement, lines: HTMLElement, choice: HTMLSelectElement }} elements
 * @param {(atMs: number) => void} onMoment a line was chosen
 */
export const createLogPanel = (view, { panel, lines, choice }, onMoment) => {
  const logs = view.logs.map((log, index) => {
    const text = document.getElementById(`log-${index}`)?.textContent?.split('\n') ?? [];
    /** @type {number[]} line numbers that have a time, by time */
    const timed = log.at
      .flatMap((atMs, line) => (atMs === null ? [] : [line]))
      .sort((a, b) => (log.at[a] ?? 0) - (log.at[b] ?? 0) || a - b);
    return { ...log, text, timed, times: timed.map((line) => log.at[line] ?? 0) };
  });
  let shown = logs.findIndex(({ timed }) => timed.length > 0);
  if (shown < 0) shown = 0;
  let last = '';
  panel.hidden = logs.length === 0;
  for (const [index, log] of logs.entries())
    choice.add(new Option(`${log.name} (${log.text.length} lines)`, String(index), index === shown, index === shown));
  choice.hidden = logs.length < 2;

  /** @param {number} atMs */
  const show = (atMs) => {
    const log = logs[shown];
    if (!log) return;
    const place = lowerBound(log.times, atMs + 0.001) - 1;
    const at = place < 0 ? -1 : (log.timed[place] ?? -1);
    const key = `${shown} ${at}`;
    if (key === last) return;
    last = key;
    const from = Math.max(0, at - AROUND);
    const items = log.text.slice(from, at + AROUND + 1).map((text, offset) => {
      const line = from + offset;
      const item = document.createElement('li');
      const when = log.at[line] ?? null;
      const stamp = document.createElement('span');
      stamp.className = 'stamp';
      stamp.textContent = when === null ? '' : lengthText(when);
      item.append(stamp, text);
      item.className = line === at ? 'now' : line > at ? 'later' : '';
      if (when !== null) item.dataset.at = String(when);
      return item;
    });
    lines.replaceChildren(...items);
    const now = lines.querySelector('.now');
    if (now instanceof HTMLElement) lines.scrollTop = now.offsetTop - lines.clientHeight / 2;
  };
  choice.addEventListener('change', () => {
    shown = Number(choice.value);
    last = '';
    show(current);
  });
  lines.addEventListener('click', (event) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null;
    if (item instanceof HTMLElement && item.dataset.at !== undefined) onMoment(Number(item.dataset.at));
  });
  let current = 0;
  return {
    /** @param {number} atMs */
    show: (atMs) => {
      current = atMs;
      show(atMs);
    },
  };
};
