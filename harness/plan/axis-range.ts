// What lies between two ends of an axis: in the order that its source has, and of images one variant.
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { comparing, hasPlace } from '../systems/axes/compare.ts';
import { ofVariant } from '../systems/axes/image-variants.ts';
import type { AxisContext, AxisValues } from '../systems/axes/values.ts';
import type { CardAxis } from '../systems/card.ts';

type From = CardAxis['from'];
type Ends = readonly [string, string];

export const unknownValue = (axis: string, value: string, known: readonly string[]): Error =>
  problem('scenario', 'unknown-value', `the axis "${axis}" has no ${value}`, { hint: didYouMean(value, known, 'there are') });

/** As it is written there: 0.43 is 0.43.0 of PyPI. */
const namedIn = (from: From, axis: string, end: string, all: readonly string[]): string => {
  if (end === '' || all.includes(end)) return end;
  const compare = comparing(from);
  const same = /^v?\d/.test(end) ? all.filter((value) => compare(value, end) === 0) : [];
  if (same.length === 1) return same[0]!;
  throw unknownValue(axis, end, all.toReversed());
};

/** A name that is no version is an end only where all are names: among versions it would stand before the first, whatever it is. */
const checkEnds = (from: From, axis: string, ends: Ends, all: readonly string[]): void => {
  const strange = ends.find((end) => end !== '' && !hasPlace(from, end));
  if (strange === undefined || !all.some((value) => hasPlace(from, value))) return;
  throw problem('scenario', 'bad-range', `${axis}=${ends.join('..')}: ${strange} is no version, and nothing says what it lies between`, { hint: 'name the values one by one' });
};

/**
 * Between both ends, in the order that is offered. One that is left out, being no release or withdrawn, may still be an end.
 * @param ends '' for one that is open
 * @param progress told what of an image's tags is left out, or is taken though the ends are not alike
 * @throws ProblemError `unknown-value`, `bad-range`
 */
export const between = (from: From, axis: string, [first, last]: Ends, { offered, all, moving }: AxisValues, progress: AxisContext['progress']): readonly string[] => {
  const endOf = (end: string): string => {
    const named = namedIn(from, axis, end, all);
    const now = moving?.get(named);
    if (now !== undefined) progress(`${axis}=${first}..${last}: ${named} is moved on with each release, and stands for ${now} now`);
    return now ?? named;
  };
  const ends = [endOf(first), endOf(last)] as const;
  checkEnds(from, axis, ends, all);
  const variant = from === 'image' && ends.every((end) => end === '' || hasPlace(from, end)) ? ofVariant(axis, ends, all) : null;
  const values = all.filter((value) => offered.includes(value) || ends.includes(value));
  const [start, end] = [ends[0] === '' ? 0 : values.indexOf(ends[0]), ends[1] === '' ? values.length - 1 : values.indexOf(ends[1])];
  if (start > end) throw problem('scenario', 'bad-range', `${axis}=${first}..${last} runs backwards: ${last} is older`, { hint: `write ${axis}=${last}..${first}` });
  const found = values.slice(start, end + 1);
  const told = variant?.told(found) ?? '';
  if (told !== '') progress(told);
  return variant === null ? found : found.filter(variant.has);
};
