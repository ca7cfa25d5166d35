// Looks backwards from a bad version for a good one: one step, two, four, eight; then in between. Each is compared
// with all that are known to be bad: the symptom must be missing where it would have shown.
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
  /** It has the symptom, and all older ones were looked at: some have it too, the others cannot be run. */
  | { readonly kind: 'none'; readonly oldest: number }
  /** Of the older ones so many have the symptom, so many cannot be run, and the rest was given up. */
  | { readonly kind: 'unreached'; readonly bad: number; readonly untestable: number }
  /** The symptom was not seen where it was said to be. */
  | { readonly kind: 'bad-is-good'; readonly runs: number }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Going on to look further back is cheap, taking a bad version for a good one is not. */
const BAD_ENOUGH = 0.8;
const EVEN = 0.5;
/** So many versions are looked at in steps, mostly, and each may be taken for a good one. */
const LOOKS = 5;
const RUNS_OF_GOOD = 3;

export const startFindGood = (options: SearchOptions): GoodSearch => ({ state: { options, results: [] }, settled: settle(options), counts: [] });

export const recordGood = ({ state, settled }: GoodSearch, recorded: Recorded): GoodSearch => {
  const results = [...state.results, recorded];
  return { state: { options: state.options, results }, settled, counts: countsOf(results) };
};

export const resumeFindGood = ({ options, results }: SearchState): GoodSearch => results.reduce(recordGood, startFindGood(options));

/** What is as large a part of all is looked into, be it an island of good ones or of those that can be run: what is narrower is not worth that many builds. */
const SMALLEST_ISLAND = 1 / 32;
/** So many are looked at beyond the steps at most: each stretch is halved until it is narrow. */
const LOOKS_AT_ISLANDS = 2 / SMALLEST_ISLAND;

/** The middle of the widest stretch without any of these, which are in order, of several as wide the newest; null: none is wider than `narrow`. */
const middleBetween = (known: readonly number[], narrow: number): number | null => {
  const stretches = known.slice(1).map((to, index) => ({ from: known[index]!, to }));
  const widest = stretches.reduce((best, one) => (one.to - one.from >= best.to - best.from ? one : best), { from: 0, to: 0 });
  return widest.to - widest.from > narrow ? (widest.from + widest.to) >> 1 : null;
};

/** One version to be looked at, one of so many that may be. */
type Look = { readonly candidate: number; readonly looks: number };

/**
 * The order in which older ones are looked at: one step back, two, four. Old versions that no longer build are the usual case, so where
 * a step cannot be run, what lies between it and the nearest bad one is halved before anything older is tried.
 * Whoever asks for the next one has seen that the one before is bad or cannot be run.
 * Old ones that are bad say nothing of those between them: what the symptom is of may have come later, been right, and broken again. So
 * all stretches are halved that are left between those that were looked at, until each of them is narrow.
 */
function* backwards(last: number, isUntestable: (version: number) => boolean): Generator<Look, void> {
  const seen = new Set([last]);
  const lookAt = (candidate: number, looks: number): Look => {
    seen.add(candidate);
    return { candidate, looks };
  };
  let bad = last;
  let step = last;
  for (let distance = 1; step > 0; distance *= 2) {
    step = Math.max(0, last - distance);
    yield lookAt(step, LOOKS);
    if (!isUntestable(step)) bad = step;
    for (let low = step; bad - low > 1 && !seen.has(bad - 1); ) {
      const middle = (low + bad) >> 1;
      yield lookAt(middle, LOOKS);
      if (isUntestable(middle)) low = middle;
      else bad = middle;
    }
  }
  for (const narrow = Math.ceil((last + 1) * SMALLEST_ISLAND); ; ) {
    const middle = middleBetween([...seen].sort((a, b) => a - b), narrow);
    if (middle === null) return;
    yield lookAt(middle, LOOKS_AT_ISLANDS);
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
  let like = repeat(startPosterior(2, EVEN), 1, end);
  const bads = [last];
  let untestable = 0;
  for (const { candidate, looks } of backwards(last, testable.isUntestable)) {
    if (testable.isUntestable(candidate)) {
      untestable += 1;
      continue;
    }
    const own = countsAt(counts, candidate);
    const posterior = repeat(like, 0, own);
    const isGood = 1 - posterior.sameMass >= 1 - (1 - settled.confidence) / looks;
    if (isGood && own.good + own.bad >= RUNS_OF_GOOD) {
      return over({ kind: 'found', good: candidate, bad: Math.min(...bads.filter((bad) => bad > candidate)), probability: 1 - posterior.sameMass });
    }
    if (own.bad === 0 || posterior.sameMass < BAD_ENOUGH) return { conclusion: { kind: 'searching', candidate }, posterior };
    like = repeat(like, 1, own);
    bads.push(candidate);
  }
  const bad = bads.length - 1;
  return over(bad + untestable === last ? { kind: 'none', oldest: Math.min(...bads) } : { kind: 'unreached', bad, untestable });
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
