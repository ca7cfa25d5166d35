// The values of axes as they are written, `1.2`, `1.2..1.5` or `*`, as the concrete ones they stand for.
import { AXIS_VALUE } from '../model/coordinates.ts';
import { didYouMean } from '../model/nearest.ts';
import { problem } from '../model/problem.ts';
import { runtimeKinds } from '../runtimes/registry.ts';
import { ownAxesOf } from '../systems/axes/card-at.ts';
import { comparing, hasPlace } from '../systems/axes/compare.ts';
import { allValuesOf, valuesBetween } from '../systems/axes/values.ts';
import type { AxisContext, AxisValues } from '../systems/axes/values.ts';
import type { Card } from '../systems/card.ts';
import { checkAxis } from './axes.ts';

const RANGE = /^(.*?)\.\.(.*)$/;

const unknown = (axis: string, value: string, known: readonly string[]): Error =>
  problem('scenario', 'unknown-value', `the axis "${axis}" has no ${value}`, { hint: didYouMean(value, known, 'there are') });

/** Where all values are known without asking anybody far away. */
const knownOf = (card: Card, axis: string): readonly string[] | null => {
  if (axis === 'runtime') return runtimeKinds;
  if (axis === 'defect') return card.defects ? ['none', ...new Set(Object.entries(card.defects.presets).flat(2))] : [];
  const own = ownAxesOf(card)[axis];
  return own?.from === 'list' ? own.list : null;
};

/** As it is written there: 0.43 is 0.43.0 of PyPI. */
const namedIn = (card: Card, axis: string, end: string, all: readonly string[]): string => {
  if (end === '' || all.includes(end)) return end;
  const compare = comparing(ownAxesOf(card)[axis]?.from ?? 'list');
  const same = /^v?\d/.test(end) ? all.filter((value) => compare(value, end) === 0) : [];
  if (same.length === 1) return same[0]!;
  throw unknown(axis, end, all.toReversed());
};

/** A name that is no version is an end only where all are names: among versions it would stand before the first, whatever it is. */
const checkEnds = (card: Card, axis: string, [from, to]: readonly [string, string], all: readonly string[]): void => {
  const isPlaced = (value: string): boolean => hasPlace(ownAxesOf(card)[axis]?.from ?? 'list', value);
  const strange = [from, to].find((end) => end !== '' && !isPlaced(end));
  if (strange === undefined || !all.some(isPlaced)) return;
  throw problem('scenario', 'bad-range', `${axis}=${from}..${to}: ${strange} is no version, and nothing says what it lies between`, { hint: 'name the values one by one' });
};

/** Between both ends, in the order that is offered. One that is left out, being no release or withdrawn, may still be an end. */
const between = (card: Card, axis: string, [from, to]: readonly [string, string], { offered, all }: AxisValues): readonly string[] => {
  const ends = [namedIn(card, axis, from, all), namedIn(card, axis, to, all)] as const;
  checkEnds(card, axis, ends, all);
  const values = all.filter((value) => offered.includes(value) || ends.includes(value));
  const [first, last] = [ends[0] === '' ? 0 : values.indexOf(ends[0]), ends[1] === '' ? values.length - 1 : values.indexOf(ends[1])];
  if (first <= last) return values.slice(first, last + 1);
  throw problem('scenario', 'bad-range', `${axis}=${from}..${to} runs backwards: ${to} is older`, { hint: `write ${axis}=${to}..${from}` });
};

const checkValue = (axis: string, value: string): void => {
  if (AXIS_VALUE.test(value) || (axis.startsWith('setting.') && value !== '')) return;
  throw problem('scenario', 'unknown-value', `"${value}" is no value of an axis`, { hint: 'a value, a range such as 1.2..1.5, or *' });
};

/**
 * @param written such as `1.2`, `1.2..1.5`, `..1.5`, `*`
 * @returns each once, in the order in which they are written
 * @throws ProblemError `unknown-value`, `bad-range`, and what `valuesOf` throws
 */
export const concreteValues = async (card: Card, axis: string, written: readonly string[], context: AxisContext): Promise<readonly string[]> => {
  const known = knownOf(card, axis);
  const isOwn = Object.hasOwn(ownAxesOf(card), axis);
  const all = async (word: string): Promise<AxisValues> => {
    if (known) return { offered: known, all: known };
    if (isOwn) return allValuesOf(card, axis, context);
    throw problem('scenario', 'bad-range', `${axis}=${word}: which values there are is not known`, { hint: 'name them one by one' });
  };
  const found: string[] = [];
  for (const word of written) {
    const range = RANGE.exec(word);
    if (word === '*') found.push(...(await all(word)).offered);
    else if (range) {
      const [, from = '', to = ''] = range;
      const told = isOwn ? await valuesBetween(card, axis, from, to, context) : null;
      found.push(...(told ?? between(card, axis, [from, to], await all(word))));
    }
    else {
      checkValue(axis, word);
      const parts = axis === 'defect' ? word.split('+') : [word];
      const strange = known && axis !== 'defect' ? parts.find((part) => !known.includes(part)) : undefined;
      if (strange !== undefined) throw unknown(axis, strange, known!);
      found.push(word);
    }
  }
  return [...new Set(found)];
};

/** Concrete values for one card. @throws ProblemError `unknown-axis` too */
export const concreteAxes = async (
  card: Card,
  axes: Readonly<Record<string, readonly string[]>>,
  context: AxisContext,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const entries: (readonly [string, readonly string[]])[] = [];
  for (const [axis, written] of Object.entries(axes)) {
    checkAxis(card, axis);
    entries.push([axis, await concreteValues(card, axis, written, context)]);
  }
  return Object.fromEntries(entries);
};

