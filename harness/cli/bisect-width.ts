// Of which values or pairs any may be the one that is looked for, and why they could not be told apart.
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { Reckoned } from '../plan/bisect-run/line.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import type { Minimal } from '../plan/bisect-run/pair.ts';
import type { SearchAxis } from '../plan/bisect-run/question.ts';
import { tallyOf } from '../plan/bisect-run/standing.ts';
import type { Tally } from '../plan/bisect-run/standing.ts';
import type { Probe } from '../plan/bisect-run/state.ts';
import { isAt } from '../plan/bisect-run/store.ts';
import type { Place } from '../plan/bisect-run/store.ts';
import type { BisectResult } from '../reports/bisect/view.ts';
import { placeText } from './bisect-view.ts';

export type Width = Pick<BisectResult, 'possible' | 'width'>;

type Axes = readonly SearchAxis[];

const whyOpen = ({ given, good, bad, other, unclear }: Tally): string => given ?? (good + bad + other + unclear > 0 ? 'not run often enough' : 'never run');

const widthOfLine = ({ line, range, tallies }: Reckoned, isFound: boolean): Width => {
  const open = line.values.map((_, index) => index).filter((index) => index > range.from && index <= range.to);
  return {
    possible: open.map((index) => line.values[index]!),
    width: isFound ? [] : open.slice(0, -1).map((index) => ({ value: line.values[index]!, why: whyOpen(tallies[index]!) })),
  };
};

type Open = { readonly place: Place; /** Which value of it could not be tested. */ readonly axis: number };

/** On each axis, back from the pair to its good neighbour. */
const between = ({ place, widths }: Minimal, axes: Axes): readonly Open[] =>
  axes.flatMap(({ values }, axis) => {
    const last = values.indexOf(place[axis]!);
    return values.slice(last - widths[axis]! + 1, last).map((value) => ({ axis, place: place.map((other, index) => (index === axis ? value : other)) }));
  });

/** It is asked of a value beside another one of the other axis, too: what was not run here may have failed there. */
const whyOfPair = ({ place, axis }: Open, axes: Axes, probes: readonly Probe[], sought: Sought): string => {
  const tallyAt = (one: Place): Tally => tallyOf(probes.filter(({ at }) => isAt(one, at)), sought);
  const own = tallyAt(place);
  if (own.given !== null) return own.given;
  const elsewhere = probes.map(({ at }) => at).filter((at) => at[axis] === place[axis]).map((at) => ({ at, given: tallyAt(at).given }));
  const found = elsewhere.find(({ given }) => given !== null);
  return found ? `${found.given} (with ${placeText(axes, found.at)})` : whyOpen(own);
};

const widthOfPairs = (minimal: readonly Minimal[], axes: Axes, probes: readonly Probe[], sought: Sought): Width => {
  const open = minimal.map((each) => ({ place: each.place, between: between(each, axes) }));
  return {
    possible: open.flatMap((each) => [...each.between.map(({ place }) => place), each.place]).map((place) => placeText(axes, place)),
    width: open.flatMap((each) => each.between).map((one) => ({ value: placeText(axes, one.place), why: whyOfPair(one, axes, probes, sought) })),
  };
};

/** Values of one axis; of two, pairs as `a=1, b=2`. */
export const widthOf = ({ word, line, pair, sought }: SearchOutcome, probes: readonly Probe[], axes: Axes): Width => {
  if (pair && sought) return widthOfPairs(pair.minimal, axes, probes, sought);
  return line?.isPlaced ? widthOfLine(line, word === 'found') : { possible: [], width: [] };
};
