// What a whole search has come to: one line, a line whose good end had to be found, or two lines for a pair.
import { sentence } from '../bisect/sentence.ts';
import type { Sought } from './answer.ts';
import { searchLine } from './line.ts';
import type { Reckoned } from './line.ts';
import { isSpent, lineOf, runAll, settleEnds } from './search.ts';
import type { Line, Search } from './search.ts';
import { symptomOfEnds, tallyOf, whyMute } from './standing.ts';
import type { Place } from './store.ts';

export type SearchOutcome = {
  readonly word: 'found' | 'range' | 'no-difference' | 'no-good' | 'contradiction' | 'unverified' | 'budget';
  /** Where the word alone does not say it. */
  readonly why: string;
  readonly sought: Sought | null;
  /** In the order in which they were searched; the last one decides. */
  readonly lines: readonly Reckoned[];
  /** The first bad place; with two axes the minimal pair. */
  readonly culprit: Place | null;
  /** With two axes: whether one of them alone is enough. */
  readonly alone: string | null;
};

export type Show = (sought: Sought | null, lines: readonly Reckoned[]) => void;

const NONE = { sought: null, lines: [], culprit: null, alone: null } as const;

const cornerOf = ({ axes }: Search, isBad: boolean): Place => axes.map(({ values }) => (isBad ? values.at(-1)! : values[0]!));

const outcomeOfLine = ({ verdict, isSpent: spent }: Reckoned): SearchOutcome['word'] =>
  verdict === 'ends' || verdict === 'searching' ? (spent ? 'budget' : 'unverified') : verdict;

/** Where a value alone does not answer: in the words of the mathematics. */
const whyOfLine = ({ conclusion, line }: Reckoned): string =>
  conclusion.kind === 'found' ? '' : sentence(conclusion, (version) => `${line.axis} ${line.values[version]}`);

const culpritOf = ({ line, firstBad, verdict }: Reckoned): Place | null => (verdict === 'found' && firstBad !== null ? line.places[firstBad]! : null);

/** Along one axis, the rest held. */
const searchOne = async (search: Search, line: Line, show: Show): Promise<SearchOutcome> => {
  const ends = await settleEnds(search, line.places[0]!, line.places.at(-1)!);
  if ('why' in ends) return { ...NONE, word: ends.word, why: ends.why };
  const { sought } = ends;
  const reckoned = await searchLine(search, line, sought, (now) => show(sought, [now]));
  return { word: outcomeOfLine(reckoned), why: whyOfLine(reckoned), sought, lines: [reckoned], culprit: culpritOf(reckoned), alone: null };
};

/** Whether a version has not what the bad end has: `null` where it cannot be told. */
const isGoodEnd = (search: Search, place: Place, bad: Place): boolean | null => {
  const { store, wanted } = search;
  const probes = store.at(place);
  if (wanted !== null) {
    const { good, bad: failed, given } = tallyOf(probes, { wanted });
    return failed > 0 ? false : good > 0 ? true : given === null ? null : false;
  }
  const known = new Set(probes.flatMap(({ seen }) => seen.symptoms.map(({ fingerprint }) => fingerprint)));
  const symptom = symptomOfEnds(store.at(bad), probes);
  if (!symptom || !probes.some(({ seen }) => seen.blame === null)) return null;
  if (known.has(symptom.fingerprint)) return false;
  return probes.some(({ seen }) => seen.claims[symptom.claim] === 'held') ? true : null;
};

/** Runs of one place until it says whether it is good, or that it says nothing. */
const askPlace = async (search: Search, place: Place, bad: Place): Promise<boolean | null> => {
  for (let turn = 0; ; turn += 1) {
    const answer = isGoodEnd(search, place, bad);
    if (answer !== null || whyMute(search.store.at(place)) !== null || turn >= 3 || isSpent(search)) return answer;
    await runAll(search, [place]);
  }
};

/**
 * Backwards from the bad end in steps that double, until one is good.
 * @returns its index on the axis; null where none is
 */
const findGood = async (search: Search, line: Line): Promise<number | null> => {
  const last = line.places.length - 1;
  const bad = line.places[last]!;
  for (let step = 1, at = last - 1; at >= 0 && !isSpent(search); ) {
    search.tell(`looking for a good ${line.axis}: ${line.values[at]}`);
    const answer = await askPlace(search, line.places[at]!, bad);
    if (answer === true) return at;
    // What says nothing costs one step, not its place in the doubling.
    if (answer === null) at -= 1;
    else {
      step *= 2;
      at = at === 0 ? -1 : Math.max(0, last - step);
    }
  }
  return null;
};

/** Until the bad end has shown what it has. */
const showBad = async (search: Search, bad: Place): Promise<string | null> => {
  search.tell('running the bad end');
  for (;;) {
    const probes = search.store.at(bad);
    const mute = whyMute(probes);
    if (mute !== null) return `the bad end cannot be tested: ${mute}`;
    if (probes.some(({ seen }) => seen.symptoms.length > 0)) return null;
    if (probes.length >= search.endRuns || isSpent(search)) return `the bad end violates nothing in ${probes.length} runs`;
    await runAll(search, probes.length === 0 ? [bad] : Array.from({ length: search.jobs }, () => bad));
  }
};

const searchBackwards = async (search: Search, show: Show): Promise<SearchOutcome> => {
  const whole = lineOf(search.axes, 0, cornerOf(search, true));
  const unseen = await showBad(search, whole.places.at(-1)!);
  if (unseen !== null) return { ...NONE, word: 'unverified', why: unseen };
  const good = await findGood(search, whole);
  if (good === null)
    return isSpent(search)
      ? { ...NONE, word: 'budget', why: 'the budget was spent before a good value was found' }
      : { ...NONE, word: 'no-good', why: `every value of ${whole.axis} down to ${whole.values[0]} that can be tested shows it` };
  return searchOne(search, lineOf(search.axes, 0, whole.places.at(-1)!, good), show);
};

export const runSearch = async (search: Search, findsGood: boolean, show: Show): Promise<SearchOutcome> => {
  if (findsGood) return searchBackwards(search, show);
  if (search.axes.length === 1) return searchOne(search, lineOf(search.axes, 0, cornerOf(search, true)), show);
  const { searchPair } = await import('./pair.ts');
  return searchPair(search, show);
};

export { cornerOf, culpritOf, outcomeOfLine, whyOfLine, NONE };
