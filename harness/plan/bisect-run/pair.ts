// Two axes: the pair of values that is bad and of which neither can go one back.
import type { PairConclusion, PairRecorded, PairState } from '../bisect/pairs.ts';
import { concludePairs, nextPairs } from '../bisect/pairs.ts';
import { sentence } from '../bisect/sentence.ts';
import type { Sought } from './answer.ts';
import { rateShownBy, verdictOf } from './engine.ts';
import { costsOf, recordedAt } from './line.ts';
import { drive, isSpent, settleEnds } from './search.ts';
import type { Search } from './search.ts';
import { tallyOf } from './standing.ts';
import type { Place } from './store.ts';

export type Minimal = {
  readonly place: Place;
  /** Its good neighbours: one back on one axis. */
  readonly good: readonly Place[];
  /** On each axis: 1 is exact, more is a run of values that cannot be tested. */
  readonly widths: readonly [number, number];
};

export type FoundPair = {
  /** The axis that makes the difference alone; null: it takes both. */
  readonly alone: string | null;
  /** Two where each of both axes makes it alone. */
  readonly minimal: readonly Minimal[];
  readonly confidence: number;
};

export type PairOutcome =
  | { readonly sought: Sought; readonly found: FoundPair }
  | { readonly sought: Sought | null; readonly word: 'no-difference' | 'contradiction' | 'range' | 'unverified' | 'budget'; readonly why: string };

const stateOf = (search: Search, sought: Sought): PairState => {
  const { store, axes: [first, second], confidence, endRuns } = search;
  const { probes } = store.state();
  const places = [...new Map(probes.map(({ at }) => [JSON.stringify(at), at])).values()];
  const tallies = places.map((place) => tallyOf(store.at(place), sought));
  const results = recordedAt(probes, places, sought, tallies).map(({ version, answer }): PairRecorded => {
    const [a, b] = places[version]!;
    return { pair: [first!.values.indexOf(a!), second!.values.indexOf(b!)], answer };
  });
  return {
    options: {
      first: first!.values.length, second: second!.values.length, confidence, smallestRate: rateShownBy(endRuns), costs: costsOf(probes), maxProbes: Number.MAX_SAFE_INTEGER,
    },
    results,
  };
};

const ABOUT = { ends: 'verifying both ends', carrier: 'asking whether one axis alone makes the difference', minimal: 'looking for the minimal pair' } as const;

const foundOf = ({ axes }: Search, { carrier, minimal, confidence }: Extract<PairConclusion, { kind: 'found' }>): FoundPair => {
  const placeOf = ([a, b]: readonly [number, number]): Place => [axes[0]!.values[a]!, axes[1]!.values[b]!];
  return {
    alone: carrier === 'first' ? axes[0]!.axis : carrier === 'second' ? axes[1]!.axis : null,
    minimal: minimal.map(({ pair, good, widths }) => ({ place: placeOf(pair), good: good.map(placeOf), widths: [widths[0], widths[1]] })),
    confidence,
  };
};

const outcomeOf = (search: Search, sought: Sought): PairOutcome => {
  const conclusion = concludePairs(stateOf(search, sought));
  if (conclusion.kind === 'found') return { sought, found: foundOf(search, conclusion) };
  if (conclusion.kind === 'searching') return { sought, word: isSpent(search) ? 'budget' : 'unverified', why: `${ABOUT[conclusion.about]} came to no end` };
  const name = (version: number): string => search.axes.map(({ axis, values }, index) => `${axis} ${values[conclusion.line[version]![index]!]}`).join(' with ');
  const verdict = verdictOf(conclusion.conclusion);
  const isOfEnds = conclusion.line.length === 2;
  const word = verdict === 'contradiction' || (verdict === 'no-difference' && isOfEnds) ? verdict : 'unverified';
  return { sought, word, why: sentence(conclusion.conclusion, name) };
};

export const searchPair = async (search: Search, show: (sought: Sought) => void): Promise<PairOutcome> => {
  const { axes, jobs, tell } = search;
  const ends = await settleEnds(search, axes.map(({ values }) => values[0]!), axes.map(({ values }) => values.at(-1)!));
  if ('why' in ends) return { sought: null, ...ends };
  const { sought } = ends;
  const indexOf = (place: Place): readonly [number, number] => [axes[0]!.values.indexOf(place[0]!), axes[1]!.values.indexOf(place[1]!)];
  await drive(search, (running) => {
    const state = stateOf(search, sought);
    show(sought);
    const conclusion = concludePairs(state);
    if (conclusion.kind === 'searching') tell(ABOUT[conclusion.about]);
    const count = jobs - running.length;
    if (count <= 0) return [];
    const probes = nextPairs(state, { count, running: running.map(indexOf) });
    return probes.flatMap(({ pair: [a, b], repeats }) => Array.from({ length: repeats }, (): Place => [axes[0]!.values[a]!, axes[1]!.values[b]!])).slice(0, count);
  });
  return outcomeOf(search, sought);
};
