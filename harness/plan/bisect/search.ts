// The search for the version at which a symptom begins, over an ordered axis: runs in, what to run next and
// what it came to out. Pure: the same results make the same search, so resuming is feeding them again.
import type { Counts, Recorded } from './answer.ts';
import { countsAt, countsOf } from './answer.ts';
import type { Branch, Choice, Probe } from './choose.ts';
import { branchOut, chooseOne } from './choose.ts';
import type { Conclusion, Seen } from './conclusion.ts';
import { BADS_AT_END, concludeFrom, seenAt } from './conclusion.ts';
import type { SearchOptions, SearchState, Settled } from './options.ts';
import { settle } from './options.ts';
import type { Posterior } from './posterior.ts';
import { observe, startPosterior } from './posterior.ts';
import { rangeOf } from './range.ts';
import type { Range } from './range.ts';
import { AFTER, BEFORE } from './rates.ts';
import { testableOf } from './testable.ts';

export type Search = {
  readonly state: SearchState;
  readonly settled: Settled;
  readonly counts: readonly Counts[];
  readonly posterior: Posterior;
};

const known = (search: Search) => ({ ...search, testable: testableOf(search.counts, search.settled), probes: search.state.results.length });

/** @throws RangeError on options that mean nothing */
export const startSearch = (options: SearchOptions): Search => {
  const settled = settle(options);
  return { state: { options, results: [] }, settled, counts: [], posterior: startPosterior(settled.versions) };
};

/** @throws RangeError when there is no such version */
export const record = (search: Search, { version, answer }: Recorded): Search => {
  const { settled, state } = search;
  if (!Number.isInteger(version) || version < 0 || version >= settled.versions) throw new RangeError(`there is no version ${version} of ${settled.versions}`);
  const results = [...state.results, { version, answer }];
  const isEvidence = answer === 'good' || answer === 'bad';
  return {
    state: { options: state.options, results },
    settled,
    counts: countsOf(results),
    posterior: isEvidence ? observe(search.posterior, version, answer === 'bad') : search.posterior,
  };
};

export const resumeSearch = ({ options, results }: SearchState): Search => results.reduce(record, startSearch(options));

export const stateOf = ({ state }: Search): SearchState => state;

export const conclude = (search: Search): Conclusion => concludeFrom(known(search));

/** Each end first once; then the bad one until its rate is known a little; then what tells more. */
const endsToRun = (search: Search, isUnderWay: (version: number) => boolean): readonly number[] => {
  const last = search.settled.versions - 1;
  const [good, bad] = [countsAt(search.counts, 0), countsAt(search.counts, last)];
  if (bad.bad === 0 && !isUnderWay(last)) return [last];
  if (good.good + good.bad === 0 && !isUnderWay(0)) return [0];
  if (search.posterior.sameMass >= search.settled.confidence) return [good.good + good.bad < bad.good + bad.bad ? 0 : last];
  return bad.bad < BADS_AT_END ? [last] : [0, last];
};

const WHY = { ends: 'end', search: 'search', culprit: 'culprit' } as const;

type Searching = Extract<Conclusion, { kind: 'searching' }>;

const onlyOf = (search: Search, conclusion: Searching, underWay: readonly number[]): readonly number[] | null => {
  if (conclusion.phase === 'ends') return endsToRun(search, (version) => underWay.includes(version));
  return conclusion.phase === 'culprit' ? [conclusion.culprit] : null;
};

/**
 * What to run now.
 * @param count so many probes, to be run side by side
 * @param running versions whose runs are not over: their answers are foreseen, not awaited
 * @returns fewer, or none, when it is over or nothing more is worth running beside what runs
 */
export const next = (search: Search, { count = 1, running = [] }: { readonly count?: number; readonly running?: readonly number[] } = {}): readonly Probe[] => {
  const conclusion = conclude(search);
  if (conclusion.kind !== 'searching') return [];
  const { testable, settled } = known(search);
  const underWay = [...running];
  let branches: readonly Branch[] = running.reduce(branchOut, [{ posterior: search.posterior, probability: 1 }]);
  const probes: Probe[] = [];
  while (probes.length < count) {
    const choice: Choice = {
      settled, testable,
      isPrepared: (version) => underWay.includes(version) || search.counts.some((one) => one.version === version && one.untestable === 0),
      only: onlyOf(search, conclusion, underWay),
      why: WHY[conclusion.phase],
    };
    const probe = chooseOne(branches, choice);
    if (probe === null || (probes.length > 0 && probe.bits < probes[0]!.bits / WORTH)) break;
    probes.push(probe);
    underWay.push(probe.version);
    if (probes.length < count) branches = Array.from({ length: Math.min(probe.repeats, 3) }).reduce<readonly Branch[]>((all) => branchOut(all, probe.version), branches);
  }
  return probes;
};

/** Beside the best, what tells less than this part of it is not run. */
const WORTH = 20;

export type Rate = { readonly mean: number; readonly low: number; readonly high: number };

export type View = {
  readonly phase: 'ends' | 'search' | 'culprit' | 'over';
  readonly probes: number;
  readonly counts: readonly Counts[];
  /** Holds the culprit with the confidence asked for: one of `from + 1` to `to`. */
  readonly range: Range;
  readonly likeliest: readonly { readonly good: number; readonly bad: number; readonly probability: number }[];
  /** Failure rates before and after the culprit, each with the middle 90 %. */
  readonly rates: { readonly before: Rate; readonly after: Rate };
  readonly endsDiffer: number;
  readonly ends: { readonly good: Seen; readonly bad: Seen };
};

const rateOf = ({ gaps }: Posterior, rates: Float64Array): Rate => {
  const masses = new Map<number, number>();
  for (const { from, to, weights } of gaps) weights.forEach((weight, pair) => masses.set(rates[pair]!, (masses.get(rates[pair]!) ?? 0) + (to - from) * weight));
  const all = [...masses].sort(([a], [b]) => a - b);
  const sum = all.reduce((total, [, mass]) => total + mass, 0);
  const at = (share: number): number => {
    let left = share * sum;
    return all.find(([, mass]) => (left -= mass) <= 0)?.[0] ?? all.at(-1)![0];
  };
  return { mean: all.reduce((total, [rate, mass]) => total + rate * mass, 0) / sum, low: at(0.05), high: at(0.95) };
};

/** For people who watch. */
export const view = (search: Search): View => {
  const { posterior, counts, settled, state } = search;
  const conclusion = conclude(search);
  const likeliest = posterior.gaps.map(({ from, to, mass }) => ({ good: from, bad: to, probability: (to - from) * mass }));
  return {
    phase: conclusion.kind === 'searching' ? conclusion.phase : 'over',
    probes: state.results.length,
    counts,
    range: rangeOf(posterior, settled.confidence),
    likeliest: likeliest.sort((a, b) => b.probability - a.probability).slice(0, 5),
    rates: { before: rateOf(posterior, BEFORE), after: rateOf(posterior, AFTER) },
    endsDiffer: 1 - posterior.sameMass,
    ends: { good: seenAt(counts, 0), bad: seenAt(counts, settled.versions - 1) },
  };
};
