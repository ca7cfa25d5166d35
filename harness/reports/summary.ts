// What a report says about one run, computed once: every reporter shows the same rows. Claims that the
// card lists are set apart: still violated is `known`, held after all is `fixed`. What a scenario says that a run must
// conclude is `right` where it was concluded, for the reason that it names.
import type { Resolved, Verdicts } from '../bundle/format.ts';
import type { Outcome, ScenarioOutcome, Verdict } from '../model/verdict.ts';
import { scenarioOutcome } from '../model/verdict.ts';

export type ClaimRow = Verdict & {
  readonly standing: 'known' | 'fixed' | 'right' | null;
  /** Where the card says more about a known one. */
  readonly issue: string | null;
};

/** What a planted defect must do, or what a seed saw, beside what was seen. */
export type Expected = {
  readonly by: string;
  /** In our words, for presets; null for a plain defect. */
  readonly what: string | null;
  readonly violates: readonly string[];
  /** Those of `violates` that were not violated here. */
  readonly missing: readonly string[];
};

export type ScenarioSummary = {
  /** As it is shown: the cell, and which attempt of it where there are several. */
  readonly scenario: string;
  /** The scenario with its place in the matrix, e.g. `disconnect/endless[how=fin]`: the same for all attempts. */
  readonly cell: string;
  /** From 1. */
  readonly attempt: number;
  /** The scenario's file as the user gave it; null where that is not known. */
  readonly file: string | null;
  /** The name of the card that was judged; null where that is not known. */
  readonly system: string | null;
  /** Of that system, as its card says; null where it says none. */
  readonly version: string | null;
  /** Where the system stood on its axes: versions, settings, defects; none: as its card says. */
  readonly coordinates: Readonly<Record<string, string>>;
  /** Defects that were planted in it: as they were asked for, else what the scenario plants by itself. */
  readonly planted: readonly string[];
  readonly outcome: ScenarioOutcome;
  /** The outcome without the known violations; where the scenario says what must be concluded: whether just that was. */
  readonly beyondKnown: ScenarioOutcome;
  readonly hasListed: boolean;
  readonly counts: Readonly<Record<Outcome | 'known' | 'fixed', number>>;
  /** Violated first, then inconclusive, held, and what does not apply. */
  readonly rows: readonly ClaimRow[];
  readonly expected: readonly Expected[];
  /** Where the scenario says what must be concluded: what was concluded otherwise. */
  readonly otherwise: readonly string[] | null;
  readonly problems: Verdicts['problems'];
  readonly tookMs: number;
  /** When it began, ISO 8601 in UTC; null where that is not known. */
  readonly startedAt: string | null;
  /** Where the evidence lies; null where none could be written. */
  readonly folder: string | null;
  /** Files of that folder, by name, that a report may attach: pages for people. */
  readonly pages: readonly string[];
  /** The folder of pages that were rendered again; absent: they lie with the evidence. */
  readonly pagesIn?: string;
};

export type SummaryInput = {
  readonly verdicts: Verdicts;
  readonly run: Pick<Resolved['run'], 'defects' | 'catches' | 'saw' | 'presets' | 'known' | 'concludes' | 'file'> &
    Partial<Pick<Resolved['run'], 'card' | 'version' | 'coordinates'>>;
  readonly tookMs: number;
  readonly folder: string | null;
  /** What only who ran it knows. */
  readonly ran?: Pick<ScenarioSummary, 'cell' | 'attempt' | 'startedAt' | 'pages' | 'pagesIn'>;
};

const ORDER: readonly Outcome[] = ['violated', 'inconclusive', 'held', 'does-not-apply'];

/** A list may name the kind of a claim, or one claim of that kind by its id. */
const names = (list: readonly string[], verdict: Pick<Verdict, 'claim' | 'id'>): boolean =>
  list.includes(verdict.claim) || list.includes(verdict.id);

type Run = SummaryInput['run'];

/** With a planted defect that was asked for, it is not known what must be concluded. */
const concludesOf = ({ concludes, presets = [] }: Run): Run['concludes'] => (presets.length === 0 ? concludes : undefined);

/** What must be said of this claim; undefined: that it held, where the scenario says anything. */
const mustOf = ({ id, claim }: Verdict, run: Run): NonNullable<Run['concludes']>[string] | undefined => concludesOf(run)?.[id] ?? concludesOf(run)?.[claim];

const isConcluded = (verdict: Verdict, run: Run): boolean => {
  const must = mustOf(verdict, run);
  return must !== undefined && verdict.outcome === must.outcome && verdict.reason.includes(must.because);
};

/** Verdicts other than the scenario says; those that do not apply say nothing. Null where it says nothing. */
const otherwiseOf = (verdicts: readonly Verdict[], run: Run): readonly Verdict[] | null => {
  if (concludesOf(run) === undefined) return null;
  return verdicts.filter((verdict) =>
    verdict.outcome !== 'does-not-apply' && !isConcluded(verdict, run) && !(verdict.outcome === 'held' && mustOf(verdict, run) === undefined));
};

const otherwiseText = (verdict: Verdict, run: Run): string => {
  const must = mustOf(verdict, run);
  const wanted = must === undefined ? 'held' : `${must.outcome} because of "${must.because}"`;
  return `${verdict.id} must be ${wanted}; it is ${verdict.outcome}: ${verdict.reason}`;
};

/** Whether a run said what it must. Where the difference is only that claims were left open, it could not see, and accuses nobody. */
const concludedOf = (otherwise: readonly Verdict[]): ScenarioOutcome => {
  if (otherwise.length === 0) return 'passed';
  return otherwise.every(({ outcome }) => outcome === 'inconclusive') ? 'inconclusive' : 'failed';
};

const toRow = (verdict: Verdict, run: Run): ClaimRow => {
  if (isConcluded(verdict, run)) return { ...verdict, standing: 'right', issue: null };
  const known = run.known ?? [];
  const entry = known.find(({ violates }) => names(violates, verdict));
  const standing = entry && verdict.outcome === 'violated' ? 'known' : entry && verdict.outcome === 'held' ? 'fixed' : null;
  return { ...verdict, standing, issue: standing ? entry?.issue ?? null : null };
};

const expectedOf = ({ verdicts, run }: SummaryInput): readonly Expected[] => {
  const asked = [...new Set([...(run.presets ?? []), ...run.defects])];
  return asked.flatMap((by): readonly Expected[] => {
    const saw = Object.hasOwn(run.saw, by) ? run.saw[by] : undefined;
    const violates = saw?.violates ?? (Object.hasOwn(run.catches, by) ? run.catches[by] : undefined);
    if (!violates) return [];
    const isViolated = (claim: string): boolean => verdicts.verdicts.some((each) => each.outcome === 'violated' && names([claim], each));
    return [{ by, what: saw?.what ?? null, violates, missing: violates.filter((claim) => !isViolated(claim)) }];
  });
};

/** What a claim is called: by its id, and by the name that its scenario gives it. */
export const titleOf = ({ id, as }: Pick<Verdict, 'id' | 'as'>): string => (as === undefined ? id : `${id}, ${as}`);

/** One run as rows and numbers. */
export const summarise = (input: SummaryInput): ScenarioSummary => {
  const { verdicts, run, tookMs, folder } = input;
  const { cell, attempt, startedAt, pages } = input.ran ?? { cell: verdicts.scenario, attempt: 1, startedAt: null, pages: [] };
  const rows = verdicts.verdicts.map((verdict) => toRow(verdict, run));
  const count = (is: (row: ClaimRow) => boolean): number => rows.filter(is).length;
  const counts = Object.fromEntries([
    ...ORDER.map((outcome) => [outcome, count((row) => row.outcome === outcome)]),
    ...(['known', 'fixed'] as const).map((standing) => [standing, count((row) => row.standing === standing)]),
  ]) as ScenarioSummary['counts'];
  const beyond = scenarioOutcome(rows.filter((row) => row.standing !== 'known'));
  const wasJudged = ['passed', 'failed', 'inconclusive'].includes(verdicts.outcome);
  const otherwise = wasJudged ? otherwiseOf(verdicts.verdicts, run) : null;
  const concluded = otherwise && concludedOf(otherwise);
  return {
    scenario: verdicts.scenario,
    cell,
    attempt,
    file: run.file ?? null,
    system: run.card ?? null,
    version: run.version ?? null,
    coordinates: run.coordinates ?? {},
    planted: run.presets === undefined || run.presets.length === 0 ? run.defects : run.presets,
    outcome: verdicts.outcome,
    beyondKnown: concluded ?? (counts.known > 0 && verdicts.outcome === 'failed' ? beyond : verdicts.outcome),
    hasListed: counts.known + counts.fixed > 0,
    counts,
    rows: rows.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome)),
    expected: expectedOf(input),
    otherwise: otherwise?.map((verdict) => otherwiseText(verdict, run)) ?? null,
    problems: verdicts.problems,
    tookMs,
    startedAt,
    folder,
    pages,
    ...(input.ran?.pagesIn === undefined ? {} : { pagesIn: input.ran.pagesIn }),
  };
};
