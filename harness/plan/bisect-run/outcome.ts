// What a whole search has come to: along one axis, along one whose good end had to be found, or on two.
import type { Seen } from '../bisect/conclusion.ts';
import { bothSeen } from '../bisect/sentence.ts';
import type { Sought } from './answer.ts';
import { findGoodEnd } from './good-end.ts';
import { searchLine, whyOf } from './line.ts';
import type { Reckoned } from './line.ts';
import { searchPair } from './pair.ts';
import type { FoundPair } from './pair.ts';
import { lineOf, settleEnds } from './search.ts';
import type { Line, Search } from './search.ts';
import type { Place } from './store.ts';

export type SearchOutcome = {
  readonly word: 'found' | 'range' | 'no-difference' | 'no-good' | 'contradiction' | 'unverified' | 'budget';
  /** Where the word alone does not say it. */
  readonly why: string;
  readonly sought: Sought | null;
  /** Of one axis; null: it did not come so far. */
  readonly line: Reckoned | null;
  /** Of two. */
  readonly pair: FoundPair | null;
  /** The first bad place, where it is one. */
  readonly culprit: Place | null;
};

export type Show = (sought: Sought | null, line: Reckoned | null) => void;

const NONE = { sought: null, line: null, pair: null, culprit: null } as const;

const wordOf = ({ verdict, isSpent }: Reckoned): SearchOutcome['word'] =>
  verdict === 'ends' || verdict === 'searching' ? (isSpent ? 'budget' : 'unverified') : verdict;

/** Where a value alone does not answer. */
const whyOfLine = ({ conclusion, isPlaced, line, tallies }: Reckoned): string => {
  if (conclusion.kind === 'found') return '';
  const name = (version: number): string => `${line.axis} ${line.values[version]}`;
  if (conclusion.kind !== 'searching' || isPlaced) return whyOf(conclusion, name, (version) => tallies[version]!.given);
  const seenOf = (version: number): Seen => ({ version, bad: tallies[version]!.bad, runs: tallies[version]!.good + tallies[version]!.bad });
  return `${bothSeen(seenOf(0), seenOf(tallies.length - 1), name)}, and whether they differ is not known`;
};

const searchOne = async (search: Search, line: Line, show: Show): Promise<SearchOutcome> => {
  const ends = await settleEnds(search, line.places[0]!, line.places.at(-1)!);
  if ('why' in ends) return { ...NONE, ...ends };
  const { sought } = ends;
  const reckoned = await searchLine(search, line, sought, (now) => show(sought, now));
  const culprit = reckoned.verdict === 'found' ? line.places[reckoned.firstBad!]! : null;
  return { ...NONE, word: wordOf(reckoned), why: whyOfLine(reckoned), sought, line: reckoned, culprit };
};

const searchBackwards = async (search: Search, show: Show): Promise<SearchOutcome> => {
  const axis = search.axes[0]!;
  const found = await findGoodEnd(search, lineOf(axis));
  return 'why' in found ? { ...NONE, ...found } : searchOne(search, lineOf(axis, found.from, found.to), show);
};

const searchBoth = async (search: Search, show: Show): Promise<SearchOutcome> => {
  const outcome = await searchPair(search, (sought) => show(sought, null));
  if (!('found' in outcome)) return { ...NONE, ...outcome };
  const isExact = outcome.found.minimal.every(({ widths }) => widths.every((width) => width === 1));
  return { ...NONE, word: isExact ? 'found' : 'range', why: '', sought: outcome.sought, pair: outcome.found, culprit: isExact ? outcome.found.minimal[0]!.place : null };
};

export const runSearch = (search: Search, findsGood: boolean, show: Show): Promise<SearchOutcome> => {
  if (findsGood) return searchBackwards(search, show);
  return search.axes.length === 1 ? searchOne(search, lineOf(search.axes[0]!), show) : searchBoth(search, show);
};
