// Two axes: the pair of values that is bad and of which neither can go one back.
import type { Recorded } from '../bisect/answer.ts';
import type { Pair, PairConclusion, PairRecorded, PairState } from '../bisect/pairs.ts';
import { concludePairs, nextPairs } from '../bisect/pairs.ts';
import { bothSeen } from '../bisect/sentence.ts';
import type { Sought } from './answer.ts';
import { ratesBeside, rateShownBy, verdictOf } from './engine.ts';
import type { Advice } from './engine.ts';
import { costsOf, recordedAt, whyOf } from './line.ts';
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
  /** Axes of which it could not be tested whether they make it alone. */
  readonly untold: readonly string[];
  /** Two where each of both axes makes it alone. */
  readonly minimal: readonly Minimal[];
  readonly confidence: number;
  /** Where neither part is older than in a bad pair, and where neither is newer than in a good one; of others nothing is known. */
  readonly rates: Advice['rates'];
};

type Stopped = { readonly word: 'no-difference' | 'contradiction' | 'unverified' | 'budget'; readonly why: string };

export type PairOutcome = { readonly sought: Sought; readonly found: FoundPair } | (Stopped & { readonly sought: Sought | null });

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

type Found = Extract<PairConclusion, { kind: 'found' }>;

const ratesOf = (minimal: Found['minimal'], results: readonly PairRecorded[]): FoundPair['rates'] => {
  const isUpTo = (one: Pair, other: Pair): boolean => one[0] <= other[0] && one[1] <= other[1];
  return ratesBeside(results.flatMap(({ pair, answer }): readonly Recorded[] => {
    if (minimal.some((bad) => isUpTo(bad.pair, pair))) return [{ version: 1, answer }];
    return minimal.some(({ good }) => good.some((one) => isUpTo(pair, one))) ? [{ version: 0, answer }] : [];
  }));
};

const foundOf = ({ axes }: Search, { carrier, untold, minimal, confidence }: Found, { results }: PairState): FoundPair => {
  const placeOf = ([a, b]: readonly [number, number]): Place => [axes[0]!.values[a]!, axes[1]!.values[b]!];
  const nameOf = (part: 'first' | 'second'): string => axes[part === 'first' ? 0 : 1]!.axis;
  return {
    alone: carrier === 'first' || carrier === 'second' ? nameOf(carrier) : null,
    untold: untold.map(nameOf),
    minimal: minimal.map(({ pair, good, widths }) => ({ place: placeOf(pair), good: good.map(placeOf), widths: [widths[0], widths[1]] })),
    confidence,
    rates: ratesOf(minimal, results),
  };
};

/** Only the ends may have nothing between them: where two neighbours on the way do not differ, one fault in one place does not explain it. */
const stoppedAs = (search: Search, sought: Sought, { about, line, conclusion }: Extract<PairConclusion, { kind: 'stopped' }>): Stopped => {
  const placeOf = (version: number): Place => search.axes.map(({ values }, index) => values[line[version]![index]!]!);
  const name = (version: number): string => placeOf(version).map((value, index) => `${search.axes[index]!.axis} ${value}`).join(' with ');
  const verdict = verdictOf(conclusion);
  if (verdict === 'no-difference' && about !== 'ends' && conclusion.kind === 'same-ends') {
    const { good, bad } = conclusion;
    const between = `between ${name(good.version)} and ${name(bad.version)} it should begin, and does not`;
    return { word: 'contradiction', why: `${between}: ${bothSeen(good, bad, name)}` };
  }
  const given = (version: number): string | null => tallyOf(search.store.at(placeOf(version)), sought).given;
  return { word: verdict === 'no-difference' || verdict === 'contradiction' ? verdict : 'unverified', why: whyOf(conclusion, name, given) };
};

const outcomeOf = (search: Search, sought: Sought): PairOutcome => {
  const state = stateOf(search, sought);
  const conclusion = concludePairs(state);
  if (conclusion.kind === 'found') return { sought, found: foundOf(search, conclusion, state) };
  if (conclusion.kind === 'searching') return { sought, word: isSpent(search) ? 'budget' : 'unverified', why: `${ABOUT[conclusion.about]} came to no end` };
  return { sought, ...stoppedAs(search, sought, conclusion) };
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
