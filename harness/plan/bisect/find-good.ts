// Looks backwards from a bad version for a good one: one step, two, four, eight. Each is compared with all
// that are known to be bad: the symptom must be missing where it would have shown.
import type { Counts, Recorded } from './answer.ts';
import { countsAt, countsOf } from './answer.ts';
import type { Probe } from './choose.ts';
import { chooseOne } from './choose.ts';
import { BADS_AT_END, IN_VAIN, patience } from './conclusion.ts';
import { settle } from './options.ts';
import type { SearchOptions, SearchState, Settled } from './options.ts';
import type { Posterior } from './posterior.ts';
import { observe, startPosterior } from './posterior.ts';
import { testableOf } from './testable.ts';

/** `versions`: from the oldest to the bad one, which is the last. */
export type GoodSearch = { readonly state: SearchState; readonly settled: Settled; readonly counts: readonly Counts[] };

export type GoodConclusion =
  | { readonly kind: 'searching'; readonly candidate: number }
  /** `bad`: the nearest version that is known to be bad. Search between the two, and feed what was recorded there. */
  | { readonly kind: 'found'; readonly good: number; readonly bad: number; readonly probability: number }
  /** It has the symptom, and there is nothing older, or nothing that can be run: all of those were tried. */
  | { readonly kind: 'none'; readonly oldest: number }
  /** It has the symptom; of those that are older so many were tried and cannot be run, and the rest was given up. */
  | { readonly kind: 'unreached'; readonly oldest: number; readonly tried: number }
  /** The symptom was not seen where it was said to be. */
  | { readonly kind: 'bad-is-good'; readonly runs: number }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Going on to look further back is cheap, taking a bad version for a good one is not. */
const BAD_ENOUGH = 0.8;
const EVEN = 0.5;
/** Several versions are looked at, and each may be taken for a good one. */
const LOOKS = 5;
const RUNS_OF_GOOD = 3;

export const startFindGood = (options: SearchOptions): GoodSearch => ({ state: { options, results: [] }, settled: settle(options), counts: [] });

export const recordGood = ({ state, settled }: GoodSearch, recorded: Recorded): GoodSearch => {
  const results = [...state.results, recorded];
  return { state: { options: state.options, results }, settled, counts: countsOf(results) };
};

export const resumeFindGood = ({ options, results }: SearchState): GoodSearch => results.reduce(recordGood, startFindGood(options));

/** An island of those that can be run is found if it is as large a part of all: what is narrower is not worth that many builds. */
const SMALLEST_ISLAND = 1 / 32;

/** The middle of the widest stretch without any of these, which are in order; null: none is wider than `narrow`. */
const middleBetween = (known: readonly number[], narrow: number): number | null => {
  const stretches = known.slice(1).map((to, index) => ({ from: known[index]!, to }));
  const widest = stretches.reduce((best, one) => (one.to - one.from > best.to - best.from ? one : best), { from: 0, to: 0 });
  return widest.to - widest.from > narrow ? (widest.from + widest.to) >> 1 : null;
};

/**
 * The order in which older ones are looked at: one step back, two, four. Old versions that no longer build are the usual case, so where
 * a step cannot be run, what lies between it and the nearest bad one is halved before anything older is tried.
 * Whoever asks for the next one has seen that the one before is bad or cannot be run.
 * It ends where each of the stretches between those that cannot be run is narrow, and none is known to lie beside one that can.
 */
function* backwards(last: number, isUntestable: (version: number) => boolean): Generator<number, void> {
  let bad = last;
  let step = last;
  for (let distance = 1; step > 0; distance *= 2) {
    step = Math.max(0, last - distance);
    yield step;
    if (!isUntestable(step)) bad = step;
    for (let low = step; bad - low > 1 && !isUntestable(bad - 1); ) {
      const middle = (low + bad) >> 1;
      yield middle;
      if (isUntestable(middle)) low = middle;
      else bad = middle;
    }
  }
  // All steps are behind: what is left may lie as an island among those that cannot be run.
  for (const narrow = Math.ceil((last + 1) * SMALLEST_ISLAND); ; ) {
    const known = Array.from({ length: bad }, (_, version) => version).filter(isUntestable);
    const middle = middleBetween([...known, bad], narrow);
    if (middle === null) return;
    yield middle;
    if (!isUntestable(middle)) bad = middle;
  }
}

const repeat = (posterior: Posterior, place: number, { good, bad }: { readonly good: number; readonly bad: number }): Posterior => {
  let all = posterior;
  for (let run = 0; run < bad; run += 1) all = observe(all, place, true);
  for (let run = 0; run < good; run += 1) all = observe(all, place, false);
  return all;
};

type Step = { readonly conclusion: GoodConclusion; readonly posterior: Posterior | null };

const walk = ({ settled, counts }: GoodSearch): Step => {
  const last = settled.versions - 1;
  const testable = testableOf(counts, settled);
  const over = (conclusion: GoodConclusion): Step => ({ conclusion, posterior: null });
  const end = countsAt(counts, last);
  if (testable.isUntestable(last)) return over({ kind: 'undecided', reason: 'the bad end cannot be run' });
  if (end.bad === 0 && end.good >= patience(settled.smallestRate)) return over({ kind: 'bad-is-good', runs: end.good });
  if (end.bad < BADS_AT_END) {
    const runs = end.good + end.bad;
    const isInVain = runs >= IN_VAIN * patience(settled.smallestRate);
    return over(isInVain ? { kind: 'undecided', reason: `the bad end showed it in ${end.bad} of ${runs} runs` } : { kind: 'searching', candidate: last });
  }
  let like = { good: end.good, bad: end.bad };
  let nearest = last;
  for (const candidate of backwards(last, testable.isUntestable)) {
    if (testable.isUntestable(candidate)) continue;
    const own = countsAt(counts, candidate);
    const posterior = repeat(repeat(startPosterior(2, EVEN), 1, like), 0, own);
    const isGood = 1 - posterior.sameMass >= 1 - (1 - settled.confidence) / LOOKS;
    if (isGood && own.good + own.bad >= RUNS_OF_GOOD) {
      return over({ kind: 'found', good: candidate, bad: nearest, probability: 1 - posterior.sameMass });
    }
    if (own.bad === 0 || posterior.sameMass < BAD_ENOUGH) return { conclusion: { kind: 'searching', candidate }, posterior };
    like = { good: like.good + own.good, bad: like.bad + own.bad };
    nearest = candidate;
  }
  const tried = Array.from({ length: nearest }, (_, version) => version).filter(testable.isUntestable).length;
  return over(tried === nearest ? { kind: 'none', oldest: nearest } : { kind: 'unreached', oldest: nearest, tried });
};

export const concludeGood = (search: GoodSearch): GoodConclusion => walk(search).conclusion;

/** @returns none when it is over */
export const nextGood = (search: GoodSearch): readonly Probe[] => {
  const { conclusion, posterior } = walk(search);
  if (conclusion.kind !== 'searching') return [];
  const { candidate } = conclusion;
  const last = search.settled.versions - 1;
  const own = countsAt(search.counts, candidate);
  if (posterior === null || own.good + own.bad < RUNS_OF_GOOD) return [{ version: candidate, repeats: 1, why: 'end', bits: 1 }];
  const two: Settled = { ...search.settled, versions: 2, costs: { prepare: 0, run: 1 } };
  const probe = chooseOne([{ posterior, probability: 1 }], { settled: two, testable: testableOf([], two), isPrepared: () => true, only: [0, 1], why: 'end' });
  return [{ version: probe?.version === 1 ? last : candidate, repeats: 1, why: 'end', bits: probe?.bits ?? 0 }];
};
