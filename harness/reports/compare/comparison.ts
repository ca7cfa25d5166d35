// Two runs beside each other, most often a good and a bad version: each claim with both outcomes, in what circumstances the runs
// differ, and what was measured in each around the same moment. Plain data; the texts and pages of it are made elsewhere.
import type { Outcome, ScenarioOutcome, Verdict } from '../../model/verdict.ts';
import { titleOf } from '../summary.ts';
import type { ReportInput } from '../view/input.ts';
import { align } from './align.ts';
import type { Alignment } from './align.ts';
import { differencesOf, placeOf, scenarioOf } from './circumstances.ts';
import type { Difference } from './circumstances.ts';
import { measuresOf } from './measures.ts';

/** `name`: what it is called in messages, most often its folder; `notes`: what its reader was told of it. */
export type CompareInput = { readonly name: string; readonly input: ReportInput; readonly notes?: readonly string[] };

export type ClaimSide = { readonly outcome: Outcome; readonly reason: string; readonly class: string | null };

export type ClaimPair = {
  readonly id: string;
  readonly title: string;
  /** null: not among the claims of that run. */
  readonly a: ClaimSide | null;
  readonly b: ClaimSide | null;
  readonly differs: boolean;
  /** The same outcome, in another way: violated, but of another class. */
  readonly isOtherClass: boolean;
  /** The same claim was made with other options: other limits, or another client. */
  readonly isAskedOtherwise: boolean;
};

export type RunSide = { readonly name: string; readonly scenario: string; readonly startedAt: string; readonly outcome: ScenarioOutcome };

export type Comparison = {
  readonly a: RunSide;
  readonly b: RunSide;
  readonly alignment: Alignment;
  /** What a reader must know before anything else, in sentences. */
  readonly notes: readonly string[];
  /** What differs comes first, then the order of the first run. */
  readonly claims: readonly ClaimPair[];
  /** Both were judged, and the outcome of every claim is the same. */
  readonly agree: boolean;
  readonly differences: readonly Difference[];
  readonly measures: readonly Difference[];
};

const sideOf = (verdict: Verdict | undefined): ClaimSide | null =>
  verdict ? { outcome: verdict.outcome, reason: verdict.reason, class: verdict.class ?? null } : null;

const pairsOf = (a: readonly Verdict[], b: readonly Verdict[]): readonly ClaimPair[] => {
  const [inA, inB] = [a, b].map((verdicts) => new Map(verdicts.map((each) => [each.id, each])));
  const ids = [...new Set([...a, ...b].map(({ id }) => id))];
  const pairs = ids.map((id): ClaimPair => {
    const [ofA, ofB] = [inA!.get(id), inB!.get(id)];
    return {
      id, title: titleOf((ofA ?? ofB)!), a: sideOf(ofA), b: sideOf(ofB), differs: ofA?.outcome !== ofB?.outcome,
      isOtherClass: ofA?.outcome === ofB?.outcome && ofA?.class !== ofB?.class,
      isAskedOtherwise: ofA !== undefined && ofB !== undefined && JSON.stringify(ofA.options) !== JSON.stringify(ofB.options),
    };
  });
  const weightOf = ({ differs, isOtherClass }: ClaimPair): number => (differs ? 0 : isOtherClass ? 1 : 2);
  return pairs.toSorted((x, y) => weightOf(x) - weightOf(y));
};

/** One that was cut off says nothing of any claim. */
const wasJudged = ({ input: { verdicts } }: CompareInput): boolean => (verdicts?.verdicts.length ?? 0) > 0;

const runSide = ({ name, input: { manifest, verdicts } }: CompareInput): RunSide =>
  ({ name, scenario: manifest.scenario, startedAt: manifest.startedAt, outcome: verdicts?.outcome ?? 'error' });

/** What lies beside a card may be the whole system: that nobody knows whether it is the same is no detail. */
const neighboursNote = (a: CompareInput, b: CompareInput): readonly string[] => {
  const silent = [a, b].filter(({ input }) => input.resolved.run.cardFiles === undefined).map(({ name }) => name);
  return silent.length === 0 ? [] : [`Files beside the card are not recorded in ${silent.join(' and ')}: whether they are the same cannot be told.`];
};

/** Another place on axes is what is compared most often; another scenario is a reason to doubt all that follows. */
const scenarioNote = (a: ReportInput, b: ReportInput): readonly string[] => {
  if (scenarioOf(a) !== scenarioOf(b)) return [`These are runs of different scenarios: ${a.manifest.scenario} and ${b.manifest.scenario}.`];
  const [inA, inB] = [placeOf(a), placeOf(b)];
  const axes = [...new Set([...Object.keys(inA), ...Object.keys(inB)])].filter((axis) => inA[axis] !== inB[axis]);
  const words = axes.map((axis) => `${axis} ${inA[axis] ?? 'not given'} and ${inB[axis] ?? 'not given'}`);
  return axes.length === 0 ? [] : [`The same scenario at other values of ${axes.length === 1 ? 'one axis' : `${axes.length} axes`}: ${words.join('; ')}.`];
};

const notesOf = (a: CompareInput, b: CompareInput, { mark }: Alignment, pairs: readonly ClaimPair[]): readonly string[] => {
  const [runA, runB] = [a.input.resolved.run, b.input.resolved.run];
  const otherwise = pairs.filter(({ isAskedOtherwise }) => isAskedOtherwise).map(({ id }) => id);
  const isOther = scenarioOf(a.input) !== scenarioOf(b.input);
  return [
    ...scenarioNote(a.input, b.input),
    ...(!isOther && a.input.manifest.scenarioHash !== b.input.manifest.scenarioHash ? ['The text of the scenario was changed between these runs.'] : []),
    ...(runA.card === runB.card ? [] : [`Different systems were judged: ${runA.card} and ${runB.card}.`]),
    ...neighboursNote(a, b),
    ...[a, b].flatMap((each) => (wasJudged(each) ? [] : [`${each.name} was never judged.`])),
    ...[a, b].flatMap(({ name, notes = [] }) => notes.map((note) => `${name}: ${note}.`)),
    ...(otherwise.length === 0 ? [] : [`Claims with other options in each: ${otherwise.join(', ')}.`]),
    ...(mark === null ? ['They have no mark in common: times count from when each began to be driven.'] : []),
  ];
};

/**
 * @param at the mark that both are aligned at; null: the first leave that both have, else any mark, else their begin
 * @throws ProblemError `unknown-mark`
 */
export const compareRuns = (a: CompareInput, b: CompareInput, at: string | null): Comparison => {
  const alignment = align(a, b, at);
  const claims = pairsOf(a.input.verdicts?.verdicts ?? [], b.input.verdicts?.verdicts ?? []);
  const client = alignment.mark === null ? null : a.input.timeline.mark(alignment.mark)?.client ?? null;
  const measures = ({ input }: CompareInput, markMs: number): ReadonlyMap<string, string> =>
    new Map(measuresOf(input.timeline, input.resolved.judged.facts, markMs, client));
  const [ofA, ofB] = [measures(a, alignment.aMs), measures(b, alignment.bMs)];
  return {
    a: runSide(a), b: runSide(b), alignment, notes: notesOf(a, b, alignment, claims), claims,
    agree: claims.every(({ differs }) => !differs) && wasJudged(a) && wasJudged(b),
    differences: differencesOf(a.input, b.input),
    measures: [...new Set([...ofA.keys(), ...ofB.keys()])].map((what) => ({ what, a: ofA.get(what) ?? null, b: ofB.get(what) ?? null })),
  };
};
