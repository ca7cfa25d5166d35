// All values of an axis as one strip: what each has come to, and how likely it is that the fault begins there, or ends.
import { escapeHtml } from '../page/escape.ts';
import type { VersionStanding } from './view.ts';

const WIDTH = 1_000;
const HEIGHT = 34;
/** Below it the likelihood is drawn, upwards from the bottom. */
const BAND = 14;

const lookOf = ({ good, bad, other, unclear, untestable }: VersionStanding): string => {
  if (untestable !== null) return 'untestable';
  if (bad > 0) return 'bad';
  if (good > 0) return 'good';
  return other + unclear > 0 ? 'other' : 'none';
};

/** Neighbours that look alike are one piece: a strip of a thousand untried values is small. */
const piecesOf = (versions: readonly VersionStanding[]): readonly { readonly look: string; readonly from: number; readonly to: number; readonly title: string }[] => {
  const pieces: { look: string; from: number; to: number; title: string }[] = [];
  versions.forEach((version, index) => {
    const look = lookOf(version);
    const last = pieces.at(-1);
    if (last?.look === look && look === 'none') last.to = index + 1;
    else pieces.push({ look, from: index, to: index + 1, title: `${version.value}: ${look === 'none' ? 'not run' : look}` });
  });
  return pieces;
};

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** An SVG of fixed height, as wide as the page. */
export const strip = (versions: readonly VersionStanding[], isBackwards: boolean): string => {
  if (versions.length === 0) return '';
  const step = WIDTH / versions.length;
  const gap = Math.min(1.5, step * 0.1);
  const pieces = piecesOf(versions).map(({ look, from, to, title }) =>
    `<rect class="${look}" x="${number(from * step)}" y="0" width="${number(Math.max(0.3, (to - from) * step - gap))}" height="${BAND}"><title>${escapeHtml(title)}</title></rect>`);
  const most = Math.max(...versions.map(({ likely }) => likely ?? 0));
  const bars = most <= 0 ? [] : versions.flatMap(({ likely }, index) => {
    const height = ((likely ?? 0) / most) * (HEIGHT - BAND - 2);
    return height < 0.3 ? [] : [`<rect class="likely" x="${number(index * step)}" y="${number(HEIGHT - height)}" width="${number(Math.max(0.3, step - gap))}" height="${number(height)}"/>`];
  });
  return `<svg class="strip" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="What each value has come to, and how likely the fault ${isBackwards ? 'ends' : 'begins'} there">${[...pieces, ...bars].join('')}</svg>`;
};
