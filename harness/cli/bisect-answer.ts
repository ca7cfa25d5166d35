// What a search has come to, in words and with its evidence.
import type { Reckoned } from '../plan/bisect-run/line.ts';
import { answerOf } from '../plan/bisect-run/answer.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import type { SearchAxis } from '../plan/bisect-run/question.ts';
import type { Probe } from '../plan/bisect-run/state.ts';
import { isAt } from '../plan/bisect-run/store.ts';
import type { BisectResult, Neighbour } from '../reports/bisect/view.ts';
import { placeText } from './bisect-view.ts';

type Axes = readonly SearchAxis[];

const neighbourOf = (probes: readonly Probe[], axes: Axes, sought: Sought, { line }: Reckoned, index: number | null, wanted: 'good' | 'bad'): Neighbour | null => {
  if (index === null) return null;
  const place = line.places[index]!;
  const told = probes.filter(({ at }) => isAt(place, at)).map((probe) => ({ probe, answer: answerOf(probe.seen, sought) }));
  const judged = told.filter(({ answer }) => answer === 'good' || answer === 'bad');
  return {
    at: placeText(axes, place),
    runs: judged.length,
    bad: judged.filter(({ answer }) => answer === 'bad').length,
    evidence: told.findLast(({ answer, probe }) => answer === wanted && probe.evidence !== null)?.probe.evidence ?? null,
  };
};

/** Those of which any may be the first bad one. */
const possibleOf = ({ line, range }: Reckoned): readonly number[] =>
  line.values.map((_, index) => index).filter((index) => index > range.from && index <= range.to);

const widthOf = (reckoned: Reckoned, possible: readonly number[]): BisectResult['width'] =>
  possible.length < 2
    ? []
    : possible.slice(0, -1).map((index) => ({ value: reckoned.line.values[index]!, why: reckoned.tallies[index]!.given ?? 'not run often enough' }));

const listOf = (values: readonly string[]): string => (values.length <= 4 ? values.join(', ') : `${values[0]} .. ${values.at(-1)}, ${values.length} values`);

const pairSentence = ({ lines, culprit }: SearchOutcome, axes: Axes): string => {
  const back = lines.slice(-2).flatMap(({ line, lastGood }) => (lastGood === null ? [] : [`${line.axis} ${line.values[lastGood]}`]));
  return `The minimal bad pair is ${axes.map(({ axis }, index) => `${axis} ${culprit![index]}`).join(' with ')}: with ${back.join(', or with ')}, it is good.`;
};

const foundSentence = (outcome: SearchOutcome, axes: Axes): string => {
  const { lines, culprit, alone } = outcome;
  const { line, lastGood, firstBad } = lines.at(-1)!;
  if (axes.length > 1 && alone === null) return pairSentence(outcome, axes);
  const axis = axes.find((each) => each.axis === line.axis)!;
  const [good, bad] = [line.values[lastGood!]!, line.values[firstBad!]!];
  const holding = culprit && alone !== null ? ` (${axes.filter((each) => each !== axis).map((each) => each.axis).join(', ')} alone makes no difference)` : '';
  return axis.isBackwards === true
    ? `It is right from ${line.axis} ${good} on: ${bad} is the last bad one${holding}.`
    : `The first bad ${line.axis} is ${bad}: ${good} is good${holding}.`;
};

const sentenceOf = (outcome: SearchOutcome, axes: Axes, possible: readonly string[]): string => {
  const { word, why } = outcome;
  const axis = outcome.lines.at(-1)?.line.axis ?? axes[0]!.axis;
  switch (word) {
    case 'found': return foundSentence(outcome, axes);
    case 'range': return `The first bad ${axis} is one of ${listOf(possible)}: they cannot be told apart.`;
    case 'no-difference': return `There is nothing to find: ${why}.`;
    case 'contradiction': return `No one ${axis} is to be named: ${why}.`;
    case 'no-good': return `No good ${axis} was found: ${why}.`;
    case 'unverified': return `The ends could not be verified: ${why}.`;
    case 'budget': return possible.length > 0 ? `The budget is spent; the first bad ${axis} is one of ${listOf(possible)}.` : `The budget is spent: ${why}.`;
  }
};

export const bisectResult = (outcome: SearchOutcome, probes: readonly Probe[], axes: Axes): BisectResult => {
  const { word, sought, culprit } = outcome;
  const last = outcome.lines.findLast(({ verdict }) => verdict !== 'found') ?? outcome.lines.at(-1);
  const isPlaced = last !== undefined && (word === 'found' || word === 'range' || word === 'budget');
  const indexes = isPlaced ? possibleOf(last) : [];
  const possible = indexes.map((index) => last!.line.values[index]!);
  const beside = (index: number | null, wanted: 'good' | 'bad'): Neighbour | null =>
    last === undefined || sought === null ? null : neighbourOf(probes, axes, sought, last, index, wanted);
  const ends = word === 'no-difference' && last !== undefined;
  return {
    word,
    sentence: sentenceOf(outcome, axes, possible),
    culprit: culprit === null ? null : Object.fromEntries(axes.map(({ axis }, index) => [axis, culprit[index]!])),
    possible,
    width: isPlaced && word !== 'found' ? widthOf(last, indexes) : [],
    confidence: last?.confidence ?? null,
    rates: last?.rates ?? null,
    good: beside(ends ? 0 : (last?.lastGood ?? null), 'good'),
    bad: beside(ends ? last.line.places.length - 1 : (last?.firstBad ?? null), 'bad'),
  };
};
