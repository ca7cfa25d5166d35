// The static picture: the page's own scene, drawn by a pen that writes SVG. No script is needed to see it.
import { drawScene, layoutOf, placesOf } from './browser/drawing.mjs';
import type { Pen, State } from './browser/drawing.mjs';
import type { Interval, View } from '../view/view.ts';
import { escapeText } from './escape.ts';

const short = (value: number): string => String(Math.round(value * 10) / 10);

const titled = (title: string | undefined): string => (title === undefined ? '/>' : `><title>${escapeText(title)}</title></`);

/** An element with its name as a hover text, where it has one. */
const element = (name: string, attributes: string, title?: string): string =>
  `<${name} ${attributes}${titled(title)}${title === undefined ? '' : `${name}>`}`;

/** A pen and what it has written so far. */
export const createSvgPen = (id: string): { readonly pen: Pen; readonly written: () => string } => {
  const parts: string[] = [];
  let clips = 0;
  const pen: Pen = {
    rect: (x, y, width, height, look, title) =>
      void parts.push(
        element('rect', `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" class="${look}"`, title),
      ),
    line: (x1, y1, x2, y2, look) => void parts.push(`<path d="M${short(x1)},${short(y1)}L${short(x2)},${short(y2)}" class="${look}"/>`),
    text: (x, y, text, look, anchor) =>
      void parts.push(
        `<text x="${short(x)}" y="${short(y)}" class="${look}"${anchor ? ` text-anchor="${anchor}"` : ''}>${escapeText(text)}</text>`,
      ),
    sign: (x, y, path, isFilled, tone, title) =>
      void parts.push(
        element('path', `d="${path}" transform="translate(${short(x)} ${short(y)})" class="${isFilled ? 'solid' : 'open'}-${tone}"`, title),
      ),
    trace: (points, look) => {
      const pairs = points.flatMap((x, index) => (index % 2 === 0 ? [`${short(x)},${short(points[index + 1]!)}`] : []));
      parts.push(`<polyline points="${pairs.join(' ')}" class="${look}"/>`);
    },
    clip: (left, top, right, bottom, draw) => {
      const name = `${id}-clip-${(clips += 1)}`;
      const box = `x="${short(left)}" y="${short(top)}" width="${short(right - left)}" height="${short(bottom - top)}"`;
      parts.push(`<clipPath id="${name}"><rect ${box}/></clipPath><g clip-path="url(#${name})">`);
      draw();
      parts.push('</g>');
    },
  };
  return { pen, written: () => parts.join('\n') };
};

export type PictureOptions = {
  /** Begins the ids of the picture's own parts; letters and dashes. */
  readonly id: string;
  readonly width: number;
  readonly window: Interval;
  /** Whose violated interval is shaded, and whose evidence is ringed; -1: none. */
  readonly claim: number;
  /** What it is called to those who cannot see it. */
  readonly title: string;
};

/** One SVG element; its colours are the page's. */
export const drawPicture = (view: View, options: PictureOptions): string => {
  const layout = layoutOf(view);
  const { pen, written } = createSvgPen(options.id);
  const rings = view.claims[options.claim]?.evidence.slice(0, 24) ?? [];
  const state: State = { claim: options.claim, rings, cursor: -1, lane: null, places: placesOf(view, layout) };
  drawScene(pen, view, layout, options.window, options.width, state);
  const [width, height, title] = [options.width, Math.ceil(layout.height), `${options.id}-title`];
  return [
    `<svg class="picture" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${title}">`,
    `<title id="${title}">${escapeText(options.title)}</title>`,
    written(),
    '</svg>',
  ].join('\n');
};
