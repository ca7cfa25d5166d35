// The small pieces that the page is made of: tables, words of outcomes, moments. Each cell stands on a line of its own.
import { lengthText, relativeText } from './browser/drawing.mjs';
import type { View, ViewClaim } from '../view/view.ts';
import { escapeText } from './escape.ts';

/** Cells are markup already. `label`: what the table is called. */
export const table = (
  label: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  attributes: readonly string[] = [],
): string =>
  [
    `<div class="scroll" role="region" tabindex="0" aria-label="Table: ${escapeText(label)}"><table>`,
    `<thead><tr>${head.map((cell) => `<th scope="col">${escapeText(cell)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(
      (row, index) => `<tr${attributes[index] ? ` ${attributes[index]}` : ''}>\n${row.map((cell) => `<td>${cell}</td>`).join('\n')}\n</tr>`,
    ),
    '</tbody></table></div>',
  ].join('\n');

export const code = (text: string): string => `<code>${escapeText(text)}</code>`;

export const momentOf = (view: View, atMs: number): string =>
  `<span class="when" title="${lengthText(atMs)} after the run began">${escapeText(relativeText(view.marks, atMs))}</span>`;

/** A reference that leads to its place on the axis; without scripts it leads to the picture. */
export const reference = (view: View, ref: number): string => {
  const name = `${view.actors[view.observations.actor[ref]!]}#${view.observations.seq[ref]}`;
  return `<a href="#timeline-title" data-ref="${ref}">${code(name)}</a>`;
};

export const wordOf = (claim: Pick<ViewClaim, 'outcome' | 'standing'>): string => {
  if (claim.standing === 'right') return `<span class="word right">rightly ${claim.outcome}</span>`;
  if (claim.standing !== null) return `<span class="word ${claim.standing}">${claim.outcome}, ${claim.standing}</span>`;
  return `<span class="word ${claim.outcome}">${claim.outcome.replaceAll('-', ' ')}</span>`;
};

/** From when to when a claim was violated. */
export const intervalWords = (view: View, { interval }: ViewClaim): string => {
  if (interval === null) return '';
  const { fromMs, toMs } = interval;
  return `${momentOf(view, fromMs)} to ${momentOf(view, toMs)} (${lengthText(toMs - fromMs)})`;
};
