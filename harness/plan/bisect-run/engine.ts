// The door to the mathematics: what was recorded along one line in; what to run next, what it has come to and how sure it is out.
import type { Recorded } from '../bisect/answer.ts';
import type { Conclusion } from '../bisect/conclusion.ts';
import { conclude, next, resumeSearch, view } from '../bisect/search.ts';

export type Verdict = 'ends' | 'searching' | 'found' | 'range' | 'no-difference' | 'contradiction' | 'unverified';

export type Advice = {
  /** Versions to be run beside those that are running, one entry a run; none: nothing more is to be learnt now. */
  readonly next: readonly number[];
  readonly verdict: Verdict;
  readonly conclusion: Conclusion;
  /** Of each version: how likely it is the first bad one. */
  readonly likely: readonly number[];
  /** The first bad one is behind `from`, at `to` at the latest, with the confidence that is asked for. */
  readonly range: { readonly from: number; readonly to: number };
  /** That there is a border at all is known well enough to say where it lies. */
  readonly isPlaced: boolean;
  readonly lastGood: number | null;
  readonly firstBad: number | null;
  readonly confidence: number | null;
  readonly rates: { readonly good: number; readonly bad: number } | null;
};

export type EngineInput = {
  readonly recorded: readonly Recorded[];
  readonly versions: number;
  readonly confidence: number;
  /** So many runs of the bad end without the symptom, and it is taken for good. */
  readonly endRuns: number;
  /** Of making a version ready and of one run, in ms. */
  readonly costs: { readonly prepare: number; readonly run: number };
  readonly jobs: number;
  readonly running: readonly number[];
};

/** The failure rate that would have shown itself in so many runs with 95 %. */
export const rateShownBy = (runs: number): number => Math.min(0.95, Math.max(0.001, 1 - 0.05 ** (1 / runs)));

export const verdictOf = (conclusion: Conclusion): Verdict => {
  switch (conclusion.kind) {
    case 'searching': return conclusion.phase === 'ends' ? 'ends' : 'searching';
    case 'found': return conclusion.width === 1 ? 'found' : 'range';
    // Neither alike nor different as surely as was asked for: nothing is known then.
    case 'same-ends': return conclusion.isStrong || conclusion.bad.bad === 0 ? 'no-difference' : 'unverified';
    case 'contradiction': return 'contradiction';
    case 'undecided': return 'unverified';
  }
};

const confidenceOf = (conclusion: Conclusion): number | null => {
  if (conclusion.kind === 'found') return conclusion.confidence;
  return conclusion.kind === 'same-ends' || conclusion.kind === 'contradiction' ? conclusion.probability : null;
};

const wereBothRun = (recorded: readonly Recorded[]): boolean => {
  const has = (answer: Recorded['answer']): boolean => recorded.some((one) => one.answer === answer);
  return has('good') && has('bad');
};

export const advise = ({ recorded, versions, confidence, endRuns, costs, jobs, running }: EngineInput): Advice => {
  const search = resumeSearch({
    options: { versions, confidence, smallestRate: rateShownBy(endRuns), costs, maxProbes: Number.MAX_SAFE_INTEGER },
    results: recorded,
  });
  const conclusion = conclude(search);
  const { range, rates, endsDiffer } = view(search);
  const count = jobs - running.length;
  const probes = count > 0 ? next(search, { count, running }) : [];
  const likely = Array.from({ length: versions }, () => 0);
  for (const { from, to, mass } of search.posterior.gaps) likely.fill(mass, from + 1, to + 1);
  return {
    next: probes.flatMap(({ version, repeats }) => Array.from({ length: repeats }, () => version)).slice(0, Math.max(0, count)),
    verdict: verdictOf(conclusion),
    conclusion,
    likely,
    range: conclusion.kind === 'found' ? { from: conclusion.good, to: conclusion.bad } : { from: range.from, to: range.to },
    isPlaced: conclusion.kind === 'found' || (conclusion.kind === 'searching' && conclusion.phase !== 'ends' && endsDiffer >= search.settled.endsConfidence),
    lastGood: conclusion.kind === 'found' ? conclusion.good : null,
    firstBad: conclusion.kind === 'found' ? conclusion.bad : null,
    confidence: confidenceOf(conclusion),
    rates: wereBothRun(recorded) ? { good: rates.before.mean, bad: rates.after.mean } : null,
  };
};

/** Of a border that is known: 0 is all that lies before it, 1 all from it on. */
export const ratesBeside = (results: readonly Recorded[]): Advice['rates'] => {
  if (!wereBothRun(results)) return null;
  const { before, after } = view(resumeSearch({ options: { versions: 2 }, results })).rates;
  return { good: before.mean, bad: after.mean };
};
