// What can be said at the moment: that the search goes on, or what it came to. What is said is never more
// than one change explains; where it does not explain what was seen, that is said instead.
import type { Counts } from './answer.ts';
import { countsAt } from './answer.ts';
import type { Settled } from './options.ts';
import { massBetween } from './posterior.ts';
import type { Posterior } from './posterior.ts';
import { likelyRange, rangeOf } from './range.ts';
import type { Range } from './range.ts';
import { severalChanges } from './several-changes.ts';
import type { Testable } from './testable.ts';

/** In how many of its runs a version showed the symptom. */
export type Seen = { readonly version: number; readonly bad: number; readonly runs: number };

export type Conclusion =
  | { readonly kind: 'searching'; readonly phase: 'ends' | 'search' }
  /** It is likely enough, or the next one that can be run, and is run until it has shown the symptom again. */
  | { readonly kind: 'searching'; readonly phase: 'culprit'; readonly culprit: number }
  /** `bad` is the first version known to have the symptom, `good` the last one without; the culprit is one of `good + 1` to `bad`. */
  | {
      readonly kind: 'found';
      readonly good: number;
      readonly bad: number;
      /** 1: exact. More: none of those between can be run. */
      readonly width: number;
      /** Of those between, given up untried, because those around them cannot be run. */
      readonly untried: number;
      readonly confidence: number;
      readonly before: Seen;
      readonly after: Seen;
    }
  /** `isStrong`: it is the likelier story with the confidence asked for; otherwise the symptom was waited for in vain. */
  | { readonly kind: 'same-ends'; readonly good: Seen; readonly bad: Seen; readonly probability: number; readonly isStrong: boolean; readonly smallestRate: number }
  /** `earlier` has the symptom, `later` does not, as far as anything can be told. */
  | { readonly kind: 'contradiction'; readonly earlier: Seen; readonly later: Seen; readonly probability: number }
  /** `untestable`: the end that cannot be run, and then nothing is known of a range. */
  | { readonly kind: 'undecided'; readonly reason: string; readonly range: Range }
  | { readonly kind: 'undecided'; readonly reason: string; readonly untestable: number };

export const seenAt = (counts: readonly Counts[], version: number): Seen => {
  const { good, bad } = countsAt(counts, version);
  return { version, bad, runs: good + bad };
};

type Worst = { readonly earlier: Counts; readonly later: Counts; readonly weight: number };

/** The two that speak most against one change: the first likely to have the symptom, a later one likely not to; in nats, of the weaker. */
const worstPair = (run: readonly Counts[]): Worst => {
  const end = run.at(-1)!;
  const after = (end.bad + 0.5) / (end.bad + end.good + 1);
  const before = Math.min((run[0]!.bad + 0.5) / (run[0]!.bad + run[0]!.good + 1), after / 2);
  const weights = run.map(({ good, bad }) => bad * Math.log(after / before) + good * Math.log((1 - after) / (1 - before)));
  let worst: Worst = { earlier: run[0]!, later: end, weight: Number.NEGATIVE_INFINITY };
  let loudest = 0;
  run.forEach((later, index) => {
    // Both must speak: one loud voice is no contradiction.
    const weight = Math.min(weights[loudest]!, -weights[index]!);
    if (index > 0 && weight > worst.weight) worst = { earlier: run[loudest]!, later, weight };
    if (weights[index]! > weights[loudest]!) loudest = index;
  });
  return worst;
};

/** Weaker voices are not worth the long sum: in nats, before a version is named, and on the way. */
const WORTH_SUMMING = { named: 0.7, onTheWay: 3 } as const;

const contradictionIn = ({ settled, counts }: Known, isFound: boolean): Conclusion | null => {
  const run = counts.filter(({ good, bad }) => good + bad > 0);
  const { earlier, later, weight } = worstPair(run);
  if (weight < (isFound ? WORTH_SUMMING.named : WORTH_SUMMING.onTheWay)) return null;
  const probability = severalChanges(run, settled.versions);
  return probability < settled.confidence ? null : { kind: 'contradiction', earlier: seenAt(counts, earlier.version), later: seenAt(counts, later.version), probability };
};

/** So many good runs of the bad end show with 95 % that the symptom is rarer than the smallest rate. */
export const patience = (smallestRate: number): number => Math.ceil(Math.log(0.05) / Math.log(1 - smallestRate));

/** So many times as many runs of the ends, and what they have not shown by then is not waited for. */
export const IN_VAIN = 4;

/** How often the bad end must have shown the symptom before the search goes inwards: so well is its rate known. */
export const BADS_AT_END = 2;
/** That the ends do not differ is not said after fewer runs of each. */
const RUNS_OF_SAME_ENDS = 4;
const DOUBT = 0.4;
/** A version is not named because of a single bad run, whatever its probability: a rare fault of before looks the same. */
const BADS_AT_CULPRIT = 2;

export type Known = { readonly settled: Settled; readonly counts: readonly Counts[]; readonly posterior: Posterior; readonly testable: Testable; readonly probes: number };

/** @returns null when the ends were measured well enough */
const concludeEnds = ({ settled, counts, posterior }: Known): Conclusion | null => {
  const last = settled.versions - 1;
  const [good, bad] = [seenAt(counts, 0), seenAt(counts, last)];
  const said = { kind: 'same-ends', good, bad, probability: posterior.sameMass, smallestRate: settled.smallestRate } as const;
  const wereRun = good.runs > 0 && bad.runs > 0;
  if (posterior.sameMass >= settled.confidence) {
    return Math.min(good.runs, bad.runs) >= RUNS_OF_SAME_ENDS ? { ...said, isStrong: true } : { kind: 'searching', phase: 'ends' };
  }
  // Doubt that comes later is settled where it is settled soonest: at the ends.
  const wentInwards = wereRun && counts.some(({ version, good: clean, bad: shown }) => version > 0 && version < last && clean + shown > 0);
  if (wentInwards && posterior.sameMass <= DOUBT) return null;
  // However many runs that took: where nothing lies between the ends, all runs are theirs.
  if (wereRun && bad.bad >= BADS_AT_END && 1 - posterior.sameMass >= settled.endsConfidence) return null;
  const limit = patience(settled.smallestRate);
  const isInVain = (bad.bad === 0 && bad.runs >= limit) || good.runs + bad.runs >= IN_VAIN * limit;
  return isInVain ? { ...said, isStrong: false } : { kind: 'searching', phase: 'ends' };
};

/**
 * The last version of what is likely, or, where that one can no longer be run and has not shown it often enough, the next that can: one further on,
 * two, four, and back by halves, since those that cannot be run lie side by side.
 * @returns one that has shown it often enough, or is to be run until it has
 */
const borderOf = (likeliest: number, { settled, counts, testable }: Known): number => {
  const last = settled.versions - 1;
  const wasSeen = (version: number): boolean => countsAt(counts, version).bad >= BADS_AT_CULPRIT;
  const isPassed = (version: number): boolean => version < last && testable.isUntestable(version) && !wasSeen(version);
  let low = likeliest;
  let high = likeliest;
  for (let distance = 1; isPassed(high); distance *= 2) {
    low = high;
    high = Math.min(last, likeliest + distance);
  }
  while (wasSeen(high) && high - low > 1) {
    const middle = (low + high) >> 1;
    if (isPassed(middle)) low = middle;
    else high = middle;
  }
  return high;
};

/** All that can be said now; which run came first does not matter. */
export const concludeFrom = (known: Known): Conclusion => {
  const { settled, counts, posterior, testable, probes } = known;
  const end = [0, settled.versions - 1].find(testable.isUntestable);
  if (end !== undefined) return { kind: 'undecided', reason: `the ${end === 0 ? 'good' : 'bad'} end cannot be run`, untestable: end };
  const ends = concludeEnds(known);
  if (ends !== null) return ends;
  const likely = likelyRange(posterior, settled, testable);
  const border = likely === null ? null : borderOf(likely.to, known);
  const after = border === null ? null : seenAt(counts, border);
  const isFound = after !== null && after.bad >= BADS_AT_CULPRIT;
  const contradiction = contradictionIn(known, isFound);
  if (contradiction !== null) return contradiction;
  if (isFound) {
    const [good, bad] = [likely!.from, after.version];
    return {
      kind: 'found', good, bad, width: bad - good, untried: testable.untried(good, bad), confidence: massBetween(posterior, good, bad),
      before: seenAt(counts, good), after,
    };
  }
  if (probes >= settled.maxProbes) return { kind: 'undecided', reason: `${probes} runs were not enough`, range: rangeOf(posterior, settled.confidence) };
  return border === null ? { kind: 'searching', phase: 'search' } : { kind: 'searching', phase: 'culprit', culprit: border };
};
