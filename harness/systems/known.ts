// Which of a card's known violations are about this scenario and this version. What cannot be told to be known
// is new: a range without a version to compare with excuses nothing.
import type { Card } from './card.ts';

type Known = Card['known'][number];

const COMPARATOR = /^(<=|>=|<|>|=)?(\d[\w.+-]*)$/;

/**
 * Dotted numbers, of which a tag may begin with a `v`. A branch, a commit or a tag that moves (`main`, `latest`, `15`) says nothing about
 * which version it is, and as a word would stand before all of them.
 */
const VERSION = /^v?(\d+\.\d[\w.+~-]*)$/i;

const comparatorsOf = (range: string): readonly string[] => range.trim().split(/[\s,]+/);

/** True for `<=1.18.1`, `>=1.2 <1.4`, `0.4.7`. */
export const isVersionRange = (range: string): boolean => comparatorsOf(range).every((one) => COMPARATOR.test(one));

/** Numbers count as numbers; a word (`rc`, `beta`) stands before the release that it leads to. */
const partsOf = (version: string): readonly (number | string)[] =>
  (version.match(/\d+|[A-Za-z]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()));

const compareParts = (a: number | string, b: number | string): number => {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'string' ? -1 : 1;
};

/** Negative, zero or positive, for the version numbers of any registry; what is missing counts as 0. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [partsOf(a), partsOf(b)];
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareParts(left[index] ?? 0, right[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
};

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '=': (order) => order === 0,
};

/** True when it is a version, and satisfies every comparator of the range. */
export const isInRange = (version: string, range: string): boolean => {
  const number = VERSION.exec(version)?.[1];
  return number !== undefined && comparatorsOf(range).every((one) => {
    const [, operator = '=', bound] = COMPARATOR.exec(one) ?? [];
    return bound !== undefined && HOLDS[operator]!(compareVersions(number, bound));
  });
};

/** @param scenario id of a cell: `disconnect/endless[how=rst]` is meant by that, and by `disconnect/endless` */
export const knownOf = (card: Pick<Card, 'known' | 'version'>, scenario: string): readonly Known[] =>
  card.known.filter((entry) => {
    if (entry.scenario !== scenario && entry.scenario !== scenario.replace(/\[.*$/, '')) return false;
    return entry.versions === undefined || (card.version !== null && isInRange(card.version, entry.versions));
  });
