// The values of axes as they are written, `1.2`, `1.2..1.5` or `*`, as the concrete ones they stand for.
import { AXIS_VALUE } from '../model/coordinates.ts';
import { problem } from '../model/problem.ts';
import { runtimeKinds } from '../runtimes/registry.ts';
import { ownAxesOf } from '../systems/axes/card-at.ts';
import { allValuesOf, valuesBetween } from '../systems/axes/values.ts';
import type { AxisContext, AxisValues } from '../systems/axes/values.ts';
import type { Card } from '../systems/card.ts';
import { checkAxis } from './axes.ts';
import { between, unknownValue } from './axis-range.ts';

const RANGE = /^(.*?)\.\.(.*)$/;

/** Where all values are known without asking anybody far away. */
const knownOf = (card: Card, axis: string): readonly string[] | null => {
  if (axis === 'runtime') return runtimeKinds;
  if (axis === 'defect') return card.defects ? ['none', ...new Set(Object.entries(card.defects.presets).flat(2))] : [];
  const own = ownAxesOf(card)[axis];
  return own?.from === 'list' ? own.list : null;
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
      found.push(...(told ?? between(ownAxesOf(card)[axis]?.from ?? 'list', axis, [from, to], await all(word), context.progress)));
    }
    else {
      checkValue(axis, word);
      const parts = axis === 'defect' ? word.split('+') : [word];
      const strange = known && axis !== 'defect' ? parts.find((part) => !known.includes(part)) : undefined;
      if (strange !== undefined) throw unknownValue(axis, strange, known!);
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

