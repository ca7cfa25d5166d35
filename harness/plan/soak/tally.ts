// What is remembered of each cell during a night: counts, durations, symptoms, and which bundles are worth keeping. Bounded, however
// often a cell runs: results themselves are let go.
import type { Worth } from '../../model/soak.ts';
import type { ScenarioOutcome } from '../../model/verdict.ts';

/** A symptom as it was seen in one run. */
export type Seen = { readonly words: string; readonly fingerprint: string; readonly outcome: 'violated' | 'inconclusive' | 'error' };

/** One run, in the few words that are kept of it. */
export type Told = {
  readonly cell: string;
  readonly system: string;
  readonly outcome: ScenarioOutcome;
  /** As the exit code counts it; `known`: only what its card lists is violated. */
  readonly status: Worth | 'interrupted' | 'does-not-apply';
  readonly tookMs: number;
  readonly folder: string | null;
  readonly seen: readonly Seen[];
  /** Claims that its card lists as known and that held. */
  readonly fixed: readonly string[];
};

export type Tally = {
  readonly cell: string;
  readonly system: string;
  runs: number;
  readonly outcomes: Map<ScenarioOutcome, number>;
  /** Judged, and of these not passed. */
  judged: number;
  notPassed: number;
  /** Of what was judged: only what its card lists was violated. */
  known: number;
  /** Of what was judged: how often each claim held that its card lists as known. */
  readonly fixed: Map<string, number>;
  readonly durations: number[];
  readonly symptoms: Map<string, Seen & { count: number; folder: string | null }>;
  /** Bundles, the latest ones; some of them are gone. */
  kept: { readonly folder: string; readonly outcome: ScenarioOutcome; readonly worth: Worth }[];
  first: string | null;
  last: string | null;
};

const MAXIMUM_DURATIONS = 400;
const MAXIMUM_SYMPTOMS = 40;
const MAXIMUM_KEPT = 200;
const ENOUGH_ERRORS = 5;

/** What has no verdict of its own is kept as an error is. */
export const worthOf = (status: Told['status'] | 'untestable'): Worth =>
  status === 'interrupted' || status === 'does-not-apply' || status === 'untestable' ? 'error' : status;

export const createTally = (cell: string, system: string): Tally => ({
  cell, system, runs: 0, outcomes: new Map(), judged: 0, notPassed: 0, known: 0, fixed: new Map(), durations: [], symptoms: new Map(), kept: [], first: null, last: null,
});

const noteSymptoms = (tally: Tally, { seen, folder }: Told): void => {
  for (const symptom of seen) {
    const before = tally.symptoms.get(symptom.fingerprint);
    if (!before && tally.symptoms.size >= MAXIMUM_SYMPTOMS) continue;
    tally.symptoms.set(symptom.fingerprint, { ...symptom, count: (before?.count ?? 0) + 1, folder: folder ?? before?.folder ?? null });
  }
};

const JUDGED: ReadonlySet<Told['status']> = new Set(['passed', 'known', 'failed', 'inconclusive']);

export const isJudged = (status: Told['status']): boolean => JUDGED.has(status);

/** An error that there is often already: its bundle shows what others show. */
const isMoreOfTheSame = (tally: Tally, { status, seen }: Told): boolean =>
  status === 'error' && seen.length > 0 && seen.every(({ fingerprint }) => (tally.symptoms.get(fingerprint)?.count ?? 0) >= ENOUGH_ERRORS);

/** Adds a run. @returns the bundle that says nothing any more that another does not; null for none */
export const note = (tally: Tally, given: Told): string | null => {
  const isNeedless = isMoreOfTheSame(tally, given);
  const told = isNeedless ? { ...given, folder: null } : given;
  const { outcome, status, tookMs, folder, fixed } = told;
  tally.runs += 1;
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  if (isJudged(status)) {
    tally.judged += 1;
    if (status === 'failed' || status === 'inconclusive') tally.notPassed += 1;
    if (status === 'known') tally.known += 1;
    for (const claim of fixed) tally.fixed.set(claim, (tally.fixed.get(claim) ?? 0) + 1);
    // The latest ones: an early one makes room.
    if (tally.durations.push(tookMs) > MAXIMUM_DURATIONS) tally.durations.shift();
  }
  noteSymptoms(tally, told);
  if (isNeedless) return given.folder;
  if (folder !== null && tally.kept.push({ folder, outcome, worth: worthOf(status) }) > MAXIMUM_KEPT) tally.kept.splice(1, 1);
  if (folder === null || (status !== 'passed' && status !== 'known')) return null;
  if (tally.first === null) {
    tally.first = folder;
    return null;
  }
  const replaced = tally.last;
  tally.last = folder;
  if (replaced !== null) tally.kept = tally.kept.filter((each) => each.folder !== replaced);
  return replaced;
};
