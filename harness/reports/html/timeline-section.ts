// The timeline's section: the still picture, its legend, and the places that the script fills.
import { SIGNS } from './browser/drawing.mjs';
import type { View } from '../view/view.ts';
import { escapeText } from './escape.ts';
import { drawPicture } from './svg.ts';

const WIDTH = 1320;

type Entry = readonly [picture: string, about: string];

const bar = (tone: string, about: string): Entry => [`<rect x="1" y="3" width="20" height="10" class="fill-${tone} edge-${tone}"/>`, about];
const tick = (kind: string, about: string): Entry => [`<path d="M11,2V14" class="line-${kind}"/>`, about];

const BARS: readonly Entry[] = [
  bar('plain', 'exchange, process'),
  bar('warn', 'after its client left; lease over; half-closed socket'),
  bar('accent', 'reservation live; socket open'),
  bar('bad', 'violated; fault held'),
  bar('quiet', 'context'),
  tick('data', 'data'),
  tick('renewal', 'lease renewed'),
  tick('charge', 'charged'),
];

/** Of signs only those that the picture has. */
const legend = (view: View): string => {
  const used = new Map(view.lanes.flatMap(({ points }) => points.map(({ sign, tone }) => [sign, tone] as const)).toReversed());
  const signs = [...used].toReversed().map(([name, tone]): Entry => {
    const { path, isFilled, about } = SIGNS[name]!;
    return [`<path d="${path}" transform="translate(11 8)" class="${isFilled ? 'solid' : 'open'}-${tone}"/>`, about];
  });
  const items = [...BARS, ...signs].map(
    ([picture, about]) => `<li><svg class="picture" viewBox="0 0 22 16" aria-hidden="true">${picture}</svg>${escapeText(about)}</li>`,
  );
  return `<ul class="legend" aria-label="Legend">\n${items.join('\n')}\n</ul>`;
};

const tools = [
  ['+', 'Zoom in'],
  ['-', 'Zoom out'],
  ['0', 'Whole run'],
  ['Escape', 'What matters'],
  ['ArrowLeft', 'Previous observation'],
  ['ArrowRight', 'Next observation'],
]
  .map(([key, text]) => `<button type="button" data-key="${key}">${text}</button>`)
  .join('\n');

const key = (...names: readonly string[]): string => names.map((name) => `<kbd>${name}</kbd>`).join(' ');

const KEYS = [
  `${key('←', '→')} observations, ${key('↑', '↓')} lanes, ${key('Enter')} closer, ${key('Esc')} back,`,
  `${key('+', '−')} zoom, ${key('0')} whole run,`,
  `${key('Home', 'End')} first and last. Wheel zooms, drag moves, Shift and drag zooms into a stretch.`,
].join(' ');

export const timelineSection = (view: View): string => {
  const claim = view.claims.findIndex(({ outcome, interval }) => outcome === 'violated' && interval !== null);
  const title = `Lanes of the run ${view.scenario}${claim < 0 ? '' : `; shaded: ${view.claims[claim]!.title} is violated`}`;
  const leftOut = view.lanes.flatMap((lane) => (lane.leftOut === null ? [] : [`${lane.name}: ${lane.leftOut}`]));
  return [
    '<section aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>',
    '<p id="no-live" class="note" hidden></p>',
    `<div id="live" class="${view.logs.length > 0 ? 'with-logs' : ''}" hidden>`,
    '<div class="stage">',
    `<div class="tools" role="group" aria-label="Timeline tools">\n${tools}\n</div>`,
    '<div id="timeline" role="application" tabindex="0" aria-label="Timeline of all observations" aria-describedby="keys">',
    '<canvas id="plot" aria-hidden="true"></canvas>',
    '<div id="brush" hidden></div>',
    '<div id="tip" hidden></div>',
    '</div>',
    '<canvas id="overview" aria-hidden="true"></canvas>',
    '<div id="moment"></div>',
    '<div id="said" class="unseen" role="status" aria-live="polite"></div>',
    `<p id="keys" class="note">${KEYS}</p>`,
    '</div>',
    '<div id="log-panel" role="group" aria-label="Logs at the chosen moment" hidden>',
    '<div class="log-head"><span>Logs at the chosen moment</span><select id="log-choice" aria-label="Which log"></select></div>',
    '<ol id="log-lines" tabindex="0" aria-label="Lines of the log around the chosen moment"></ol>',
    '</div>',
    '</div>',
    `<figure id="still">\n${drawPicture(view, { id: 'picture', width: WIDTH, window: view.focus, claim, title })}\n</figure>`,
    legend(view),
    ...leftOut.map((text) => `<p class="note">${escapeText(text)}</p>`),
    '</section>',
  ].join('\n');
};
