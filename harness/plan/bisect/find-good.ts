// Looks backwards from a bad version for a good one: one step, two, four, eight. Each is compared with all
// that are known to be bad: the symptom must be missing where it would have shown.
import type { Counts, Recorded } from './answer.ts';
import { countsAt, countsOf } from './answer.ts';
import type { Probe } from './choose.ts';
import { chooseOne } from './choose.ts';
import { BADS_AT_END, patience } from './conclusion.ts';
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
  /** Even the oldest that can be run has the symptom. */
  | { readonly kind: 'none'; readonly oldest: number }
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

/** Nearest first; where the oldest cannot be run, then those after it. */
const candidatesOf = (last: number): readonly number[] => {
  const steps: number[] = [];
  for (let distance = 1; distance < last; distance *= 2) steps.push(last - distance);
  const nearest = steps.at(-1) ?? last;
  return [...steps, ...Array.from({ length: nearest }, (_, index) => index)].filter((version) => version < last);
};

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
  if (end.bad < BADS_AT_END) return { conclusion: { kind: 'searching', candidate: last }, posterior: null };
  let like = { good: end.good, bad: end.bad };
  let nearest = last;
  for (const candidate of candidatesOf(last)) {
    if (testable.isUntestable(candidate)) continue;
    // Those after the oldest are for when it cannot be run.
    if (candidate > nearest) break;
    const own = countsAt(counts, candidate);
    const posterior = repeat(repeat(startPosterior(2, EVEN), 1, like), 0, own);
    const isGood = 1 - posterior.sameMass >= 1 - (1 - settled.confidence) / LOOKS;
    if (isGood && own.good + own.bad >= RUNS_OF_GOOD) {
      return over({ kind: 'found', good: candidate, bad: nearest, probability: 1 - posterior.sameMass });
    }
    if (own.bad === 0 || posterior.sameMass < BAD_ENOUGH) return { conclusion: { kind: 'searching', candidate }, posterior };
    like = { good: like.good + own.good, bad: like.bad + own.bad };
    nearest = candidate;
    if (candidate === 0) break;
  }
  return over({ kind: 'none', oldest: nearest });
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
