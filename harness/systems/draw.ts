// From a cell whose scenario gives ranges (`wait: 100ms..900ms`) to one attempt of it, in which each has been chosen: by the seed, the
// scenario and the place alone, so that the same seed gives the same times on any machine, any version of the system and any runtime.
import type { Field, Item } from '../model/fields.ts';
import { problem } from '../model/problem.ts';
import { createRandom, seedOf } from '../model/random.ts';
import { isLengthRange } from '../model/time.ts';
import type { LengthRange } from '../model/time.ts';
import { registries } from '../scenario/registries.ts';
import type { Cell } from './cell.ts';

/** What is to stand in the place of a range. */
type Choose = (range: LengthRange, place: string) => number;

const replaced = (fields: Readonly<Record<string, Field>>, options: Item['options'], place: string, choose: Choose): Item['options'] =>
  Object.fromEntries(
    Object.entries(options).map(([key, value]) =>
      fields[key]?.ranged && isLengthRange(value) ? [key, choose(value, `${place}.${key}`)] : [key, value],
    ),
  );

const itemAt = <T extends Item>(family: 'steps' | 'faults', item: T, place: string, choose: Choose): T => ({
  ...item,
  options: replaced(registries[family].get(item.kind)?.fields.options ?? {}, item.options, `${place}.${item.kind}`, choose),
});

/** The cell with every range replaced; places are named as in the scenario, counted from 1. */
const withChosen = (cell: Cell, choose: Choose): Cell => ({
  ...cell,
  scripts: Object.fromEntries(
    Object.entries(cell.scripts).map(([client, script]) => [
      client, script.map((step, index) => itemAt('steps', step, `${client}.${index + 1}`, choose)),
    ]),
  ),
  faults: cell.faults.map((fault, index) => {
    const place = `fault.${index + 1}`;
    const item = itemAt('faults', fault.item, place, choose);
    return isLengthRange(fault.wait) ? { ...fault, item, wait: choose(fault.wait, `${place}.${item.kind}.wait`) } : { ...fault, item };
  }),
});

/** In whole milliseconds where the range has one, each as likely as the others. */
const draw = (seed: number, scenario: string, place: string, { from, to }: LengthRange): number => {
  const [first, last] = [Math.ceil(from), Math.floor(to)];
  return first > last ? from : first + createRandom(seed, scenario, place).below(last - first + 1);
};

/** @throws ProblemError `bad-duration` for a range whose ends are the wrong way round on this card */
export const checkRanges = (cell: Cell): void =>
  void withChosen(cell, ({ from, to }, place) => {
    if (from <= to) return from;
    throw problem('scenario', 'bad-duration', `${cell.id}, ${place}: the range begins at ${from} ms and ends at ${to} ms on ${cell.card.system}`, {
      hint: 'give the shorter length first, or both in the same period',
    });
  });

/** Every range at its longest: what a run may take, and what a control must outlast. */
export const atLongest = (cell: Cell): Cell => withChosen(cell, ({ to }) => to);

/**
 * One attempt, from 1. A cell without a range is given back as it is.
 * @param seed of the run; that of the attempt alone (`seedOf`) is in `drawn`
 */
export const drawCell = (cell: Cell, seed: number, attempt: number): Cell => {
  const own = seedOf(seed, attempt);
  const times: Record<string, number> = {};
  const chosen = withChosen(cell, (range, place) => (times[place] = draw(own, cell.scenario.id, place, range)));
  return Object.keys(times).length === 0 ? cell : { ...chosen, drawn: { seed: own, times } };
};
