// Outcomes of claims and scenarios, and how several become one: the worst wins.

/** What a judge may say of one claim. `does-not-apply` is decided before judging and never passes. */
export type Outcome = 'held' | 'violated' | 'inconclusive' | 'does-not-apply';

/** What is said of a whole scenario run. */
export type ScenarioOutcome =
  | 'passed'
  | 'failed'
  | 'inconclusive'
  | 'error'
  | 'interrupted'
  /** Its system could not be built, installed or pulled at these coordinates: nothing was started. */
  | 'untestable'
  | 'does-not-apply';

/** A reference to an observation of the same bundle: `actor#seq`, e.g. `upstream.model#12`. */
export type Evidence = string;

export type Finding = {
  readonly outcome: Exclude<Outcome, 'does-not-apply'>;
  /** One line of why, with the numbers that were measured. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  /** Seed 003's classes of a billing violation, e.g. `renewing`. */
  readonly class?: string;
  /** The interval in which the claim was violated, in ms of the run; reports draw it. */
  readonly interval?: { readonly fromMs: number; readonly toMs: number };
};

export type Verdict = {
  /** Kind of the expectation, e.g. `upstream-closed`. */
  readonly claim: string;
  /** Unique in its scenario: the claim, with `#2`, `#3` where it is made more than once. */
  readonly id: string;
  /** The name under which its scenario's source knows it. */
  readonly as?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
  readonly class?: string;
  readonly interval?: { readonly fromMs: number; readonly toMs: number };
};

/** violated over inconclusive over held; nothing applicable: does-not-apply. */
export const scenarioOutcome = (verdicts: readonly Pick<Verdict, 'outcome'>[]): ScenarioOutcome => {
  const any = (outcome: Outcome): boolean => verdicts.some((verdict) => verdict.outcome === outcome);
  if (any('violated')) return 'failed';
  if (any('inconclusive')) return 'inconclusive';
  return any('held') ? 'passed' : 'does-not-apply';
};
