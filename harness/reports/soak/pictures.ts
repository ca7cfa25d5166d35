// A trend as a small picture: what was read, what was left out as warming up, and the slope that was found.
import { formatMs } from '../../model/time.ts';
import type { MeasureName, Trend } from '../../model/soak.ts';
import { escapeHtml } from '../page/escape.ts';

const WIDTH = 240;
const HEIGHT = 52;
const PAD = 3;
const MEBIBYTE = 1024 * 1024;
/** More are not seen at that size. */
const MAXIMUM_POINTS = 120;

const valueText = (measure: MeasureName, value: number): string => {
  if (measure === 'memory' || measure === 'heap') return `${(value / MEBIBYTE).toFixed(1)} MiB`;
  return measure === 'lag' ? `${value.toFixed(1)} ms` : String(Math.round(value * 10) / 10);
};

const short = (value: number): string => String(Math.round(value * 10) / 10);

/** @returns an SVG element, or a word where there is nothing to draw */
export const trendPicture = ({ of, measure, points, fromMs, outcome }: Trend): string => {
  if (points.length < 2) return '<span class="soft">too little to draw</span>';
  const step = Math.ceil(points.length / MAXIMUM_POINTS);
  const drawn = points.filter((_, index) => index % step === 0);
  const values = drawn.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [drawn[0]!.at, drawn.at(-1)!.at];
  const x = (at: number): number => PAD + ((at - first) / Math.max(1, last - first)) * (WIDTH - 2 * PAD);
  const y = (value: number): number => (high === low ? HEIGHT / 2 : HEIGHT - PAD - ((value - low) / (high - low)) * (HEIGHT - 2 * PAD));
  const title = `${measure} of ${of}: from ${valueText(measure, values[0]!)} to ${valueText(measure, values.at(-1)!)} in ${formatMs(last - first)}, between ${valueText(measure, low)} and ${valueText(measure, high)}`;
  const warm = fromMs > first ? `<rect class="warming" x="0" y="0" width="${short(x(fromMs))}" height="${HEIGHT}"/>` : '';
  return [
    `<svg class="spark ${outcome}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img"><title>${escapeHtml(title)}</title>`,
    warm, `<polyline points="${drawn.map(({ at, value }) => `${short(x(at))},${short(y(value))}`).join(' ')}"/></svg>`,
    `<br><span class="soft">${escapeHtml(valueText(measure, low))} to ${escapeHtml(valueText(measure, high))}</span>`,
  ].join('');
};
