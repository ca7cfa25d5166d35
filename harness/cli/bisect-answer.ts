// What a search has come to, in words and with its evidence.
import { answerOf } from '../plan/bisect-run/answer.ts';
import type { Sought } from '../plan/bisect-run/answer.ts';
import type { SearchOutcome } from '../plan/bisect-run/outcome.ts';
import type { FoundPair, Minimal } from '../plan/bisect-run/pair.ts';
import type { SearchAxis } from '../plan/bisect-run/question.ts';
import type { Probe } from '../plan/bisect-run/state.ts';
import { isAt } from '../plan/bisect-run/store.ts';
import type { Place } from '../plan/bisect-run/store.ts';
import { borderRoles } from '../reports/bisect/view.ts';
import type { BisectResult, Neighbour } from '../reports/bisect/view.ts';
import { placeText } from './bisect-view.ts';
import { widthOf } from './bisect-width.ts';

type Axes = readonly SearchAxis[];
type AboutOf = (place: Place) => string;
type Beside = (place: Place | undefined, wanted: 'good' | 'bad', role: Neighbour['role']) => Neighbour | null;

/** One place with its runs, and one bundle of a run that said so. */
const besideOf = (probes: readonly Probe[], axes: Axes, sought: Sought | null, aboutOf: AboutOf): Beside => (place, wanted, role) => {
  if (place === undefined || sought === null) return null;
  const told = probes.filter(({ at }) => isAt(place, at)).map((probe) => ({ probe, answer: answerOf(probe.seen, sought) }));
  const judged = told.filter(({ answer }) => answer === 'good' || answer === 'bad');
  return {
    role,
    at: placeText(axes, place),
    about: aboutOf(place),
    runs: judged.length,
    bad: judged.filter(({ answer }) => answer === 'bad').length,
    evidence: told.findLast(({ answer, probe }) => answer === wanted && probe.evidence !== null)?.probe.evidence ?? null,
  };
};

const listOf = (values: readonly string[]): string => (values.length <= 4 ? values.join(', ') : `${values[0]} .. ${values.at(-1)}, ${values.length} values`);

/** A border on one axis, from the nearest good value to the nearest bad one; `where` is said of it. */
type Border = { readonly axis: SearchAxis; readonly good: string; readonly bad: string; readonly possible: readonly string[]; readonly where: string };

const isBackwards = ({ isBackwards: is }: SearchAxis): boolean => is === true;
const badWords = (axis: SearchAxis): string => (isBackwards(axis) ? 'last bad' : 'first bad');

const borderSentence = ({ axis, good, bad, possible, where }: Border): string => {
  const of = where === '' ? '' : ` with ${where}`;
  if (possible.length > 1) return `The ${badWords(axis)} ${axis.axis}${of} is one of ${listOf(possible)}: they cannot be told apart.`;
  if (!isBackwards(axis)) return `The first bad ${axis.axis}${of} is ${bad}: ${good} is good.`;
  return `${of === '' ? 'It' : `With ${where}, it`} is right from ${axis.axis} ${good} on: ${bad} is the last bad one.`;
};

const placeWords = (axes: Axes, place: Place): string => axes.map(({ axis }, index) => `${axis} ${place[index]}`).join(' with ');

/** Where it is good again: on one axis one back, the other as it is. */
const backWords = (axes: Axes, { place, good }: Minimal): string =>
  good.flatMap((other) => axes.flatMap(({ axis }, index) => (other[index] === place[index] ? [] : [`${axis} ${other[index]}`]))).join(', or with ');

const pairSentence = ({ alone, untold, minimal }: FoundPair, axes: Axes): string => {
  const [one, ...more] = minimal;
  const wide = minimal.some(({ widths }) => widths.some((width) => width > 1)) ? ' Values between could not be tested.' : '';
  if (more.length > 0) return `Either axis makes it alone: ${minimal.map((each) => `${placeWords(axes, each.place)} (good with ${backWords(axes, each)})`).join('; ')}.${wide}`;
  if (alone === null) return `The minimal bad pair is ${placeWords(axes, one!.place)}: with ${backWords(axes, one!)}, it is good.${wide}`;
  const index = axes.findIndex(({ axis }) => axis === alone);
  const [axis, other] = [axes[index]!, axes[1 - index]!];
  const [good, bad] = [one!.good[0]![index]!, one!.place[index]!];
  const possible = axis.values.slice(axis.values.indexOf(good) + 1, axis.values.indexOf(bad) + 1);
  const border = borderSentence({ axis, good, bad, possible, where: `${other.axis} ${one!.place[1 - index]}` });
  // That it makes no difference is more than was asked: only the other end of it was run, with this one good.
  return `${border} ${untold.includes(other.axis) ? `Whether ${other.axis} alone makes it could not be tested.` : `${other.axis} alone does not make it.`}`;
};

const budgetSentence = (axis: SearchAxis, possible: readonly string[], why: string): string => {
  if (possible.length === 0) return `The budget is spent: ${why}.`;
  const it = `The budget is spent; the ${badWords(axis)} ${axis.axis} is`;
  return possible.length === 1 ? `${it} most likely ${possible[0]}, which was not seen often enough to be named.` : `${it} one of ${listOf(possible)}.`;
};

const sentenceOf = ({ word, why, line, pair }: SearchOutcome, axes: Axes, possible: readonly string[]): string => {
  if (pair) return pairSentence(pair, axes);
  const axis = axes[0]!;
  const what = axes.length > 1 ? 'pair' : axis.axis;
  switch (word) {
    case 'found': case 'range': {
      const { values } = line!.line;
      return borderSentence({ axis, good: values[line!.lastGood!]!, bad: values[line!.firstBad!]!, possible, where: '' });
    }
    case 'no-difference': return `There is nothing to find: ${why}.`;
    case 'contradiction': return `No one ${what} is to be named: ${why}.`;
    case 'no-good': return `No good ${what} was found: ${why}.`;
    case 'unverified': return `It could not be told: ${why}.`;
    case 'budget': return budgetSentence(axis, possible, why);
  }
};

const confidenceOf = ({ line, pair }: SearchOutcome): number | null => pair?.confidence ?? line?.confidence ?? null;

type Neighbours = { readonly good: readonly Place[]; readonly bad: Place | undefined; readonly roles: Readonly<Record<'good' | 'bad', Neighbour['role']>> };

/** What there is to look at: the values beside the border; where the ends are not known to differ, those. */
const neighboursOf = ({ line, pair }: SearchOutcome, backwards: boolean): Neighbours => {
  if (pair) return { good: pair.minimal[0]!.good, bad: pair.minimal[0]!.place, roles: { good: 'good beside it', bad: 'bad pair' } };
  if (line && !line.isPlaced && (line.conclusion.kind === 'searching' || line.conclusion.kind === 'same-ends')) {
    const { places } = line.line;
    return { good: [places[0]!], bad: places.at(-1)!, roles: { good: 'good end', bad: 'bad end' } };
  }
  const at = (index: number | null | undefined): Place[] => (line && index !== null && index !== undefined ? [line.line.places[index]!] : []);
  return { good: at(line?.lastGood), bad: at(line?.firstBad)[0], roles: borderRoles(backwards) };
};

export const bisectResult = (outcome: SearchOutcome, probes: readonly Probe[], axes: Axes, aboutOf: AboutOf): BisectResult => {
  const { word, sought, culprit, line, pair } = outcome;
  const { possible, width } = widthOf(outcome, probes, axes);
  const beside = besideOf(probes, axes, sought, aboutOf);
  const { good, bad, roles } = neighboursOf(outcome, isBackwards(axes[0]!));
  const [first, ...also] = good;
  return {
    word,
    sentence: sentenceOf(outcome, axes, possible),
    culprit: culprit === null ? null : Object.fromEntries(axes.map(({ axis }, index) => [axis, culprit[index]!])),
    possible,
    width,
    confidence: confidenceOf(outcome),
    rates: (pair ?? line)?.rates ?? null,
    good: beside(first, 'good', roles.good),
    alsoGood: also.flatMap((place) => beside(place, 'good', roles.good) ?? []),
    bad: beside(bad, 'bad', roles.bad),
  };
};
