// What a search has come to, in words and with its evidence.
import { answerOf } from '../plan/bisect-run/answer.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { Reckoned } from '../plan/bisect-run/line.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import type { FoundPair, Minimal } from '../plan/bisect-run/pair.ts';
import type { SearchAxis } from '../plan/bisect-run/question.ts';
import type { Probe } from '../plan/bisect-run/state.ts';
import { isAt } from '../plan/bisect-run/store.ts';
import type { Place } from '../plan/bisect-run/store.ts';
import type { BisectResult, Neighbour } from '../reports/bisect/view.ts';
import { placeText } from './bisect-view.ts';

type Axes = readonly SearchAxis[];
type AboutOf = (place: Place) => string;
type Beside = (place: Place | undefined, wanted: 'good' | 'bad') => Neighbour | null;

/** One place with its runs, and one bundle of a run that said so. */
const besideOf = (probes: readonly Probe[], axes: Axes, sought: Sought | null, aboutOf: AboutOf): Beside => (place, wanted) => {
  if (place === undefined || sought === null) return null;
  const told = probes.filter(({ at }) => isAt(place, at)).map((probe) => ({ probe, answer: answerOf(probe.seen, sought) }));
  const judged = told.filter(({ answer }) => answer === 'good' || answer === 'bad');
  return {
    at: placeText(axes, place),
    about: aboutOf(place),
    runs: judged.length,
    bad: judged.filter(({ answer }) => answer === 'bad').length,
    evidence: told.findLast(({ answer, probe }) => answer === wanted && probe.evidence !== null)?.probe.evidence ?? null,
  };
};

/** Those of which any may be the first bad one. */
const possibleOf = ({ line, range }: Reckoned): readonly number[] => line.values.map((_, index) => index).filter((index) => index > range.from && index <= range.to);

const widthOf = ({ line, tallies }: Reckoned, possible: readonly number[]): BisectResult['width'] =>
  possible.slice(0, -1).map((index) => ({ value: line.values[index]!, why: tallies[index]!.given ?? 'not run often enough' }));

const listOf = (values: readonly string[]): string => (values.length <= 4 ? values.join(', ') : `${values[0]} .. ${values.at(-1)}, ${values.length} values`);

const foundSentence = ({ line, lastGood, firstBad }: Reckoned, axes: Axes): string => {
  const [good, bad] = [line.values[lastGood!]!, line.values[firstBad!]!];
  return axes[0]!.isBackwards === true ? `It is right from ${line.axis} ${good} on: ${bad} is the last bad one.` : `The first bad ${line.axis} is ${bad}: ${good} is good.`;
};

const placeWords = (axes: Axes, place: Place): string => axes.map(({ axis }, index) => `${axis} ${place[index]}`).join(' with ');

/** Where it is good again: on one axis one back, the other as it is. */
const backWords = (axes: Axes, { place, good }: Minimal): string =>
  good.flatMap((other) => axes.flatMap(({ axis }, index) => (other[index] === place[index] ? [] : [`${axis} ${other[index]}`]))).join(', or with ');

const pairSentence = ({ alone, minimal }: FoundPair, axes: Axes): string => {
  const [one, ...more] = minimal;
  if (more.length > 0) return `Either axis makes it alone: ${minimal.map((each) => `${placeWords(axes, each.place)} (good with ${backWords(axes, each)})`).join('; ')}.`;
  const wide = one!.widths.some((width) => width > 1) ? ' Values between could not be tested.' : '';
  if (alone === null) return `The minimal bad pair is ${placeWords(axes, one!.place)}: with ${backWords(axes, one!)}, it is good.${wide}`;
  const index = axes.findIndex(({ axis }) => axis === alone);
  const other = axes[1 - index]!.axis;
  return `The first bad ${alone} is ${one!.place[index]}: ${one!.good[0]![index]} is good. ${other} makes no difference.${wide}`;
};

const sentenceOf = ({ word, why, line, pair }: SearchOutcome, axes: Axes, possible: readonly string[]): string => {
  if (pair) return pairSentence(pair, axes);
  const { axis } = axes[0]!;
  switch (word) {
    case 'found': return foundSentence(line!, axes);
    case 'range': return `The first bad ${axis} is one of ${listOf(possible)}: they cannot be told apart.`;
    case 'no-difference': return `There is nothing to find: ${why}.`;
    case 'contradiction': return `No one ${axis} is to be named: ${why}.`;
    case 'no-good': return `No good ${axis} was found: ${why}.`;
    case 'unverified': return `It could not be told: ${why}.`;
    case 'budget': return possible.length > 0 ? `The budget is spent; the first bad ${axis} is one of ${listOf(possible)}.` : `The budget is spent: ${why}.`;
  }
};

const confidenceOf = ({ line, pair }: SearchOutcome): number | null => pair?.confidence ?? line?.confidence ?? null;

export const bisectResult = (outcome: SearchOutcome, probes: readonly Probe[], axes: Axes, aboutOf: AboutOf): BisectResult => {
  const { word, sought, culprit, line, pair } = outcome;
  const isPlaced = line !== null && (word === 'found' || word === 'range' || word === 'budget');
  const indexes = isPlaced ? possibleOf(line) : [];
  const possible = indexes.map((index) => line!.line.values[index]!);
  const beside = besideOf(probes, axes, sought, aboutOf);
  const places = line?.line.places ?? [];
  // Where the ends do not differ, they are what there is to look at.
  const ends: readonly [number | null, number | null] = line && word === 'no-difference' ? [0, places.length - 1] : [line?.lastGood ?? null, line?.firstBad ?? null];
  const [good, ...also] = pair ? pair.minimal[0]!.good : ends[0] === null ? [] : [places[ends[0]]!];
  const bad = pair ? pair.minimal[0]!.place : ends[1] === null ? undefined : places[ends[1]];
  return {
    word,
    sentence: sentenceOf(outcome, axes, possible),
    culprit: culprit === null ? null : Object.fromEntries(axes.map(({ axis }, index) => [axis, culprit[index]!])),
    possible,
    width: isPlaced && word !== 'found' ? widthOf(line, indexes) : [],
    confidence: confidenceOf(outcome),
    rates: line?.rates ?? null,
    good: beside(good, 'good'),
    alsoGood: also.flatMap((place) => beside(place, 'good') ?? []),
    bad: beside(bad, 'bad'),
  };
};
