// For the tests beside it: a search whose runs are looked up in a table in place of being made, with its state in a real file.
import { symptomsOf } from '../../model/symptom.ts';
import type { Seen } from './answer.ts';
import type { SearchAxis } from './question.ts';
import type { Ran, Search } from './search.ts';
import { STATE_FORMAT } from './state.ts';
import type { SearchState } from './state.ts';
import { createStore } from './store.ts';
import type { Place } from './store.ts';

export type Shown = { readonly violated?: readonly string[]; readonly why?: string; readonly outcome?: Seen['outcome'] };

const CLAIMS = ['upstream-closed', 'process-alive', 'clean-shutdown'];

/** What a run of a system shows that violates these claims; or that it cannot be built, or gives no verdict. */
export const seenWhen = ({ violated = [], why = '', outcome }: Shown): Seen => {
  const judged = outcome === undefined || outcome === 'failed';
  return {
    outcome: outcome ?? (violated.length > 0 ? 'failed' : 'passed'),
    claims: Object.fromEntries(CLAIMS.map((claim) => [claim, violated.includes(claim) ? 'violated' : judged ? 'held' : 'inconclusive'])),
    symptoms: symptomsOf(violated.map((id) => ({ id, outcome: 'violated' as const, reason: `${id} was not` }))),
    why,
    blame: outcome === 'untestable' ? 'system' : null,
  };
};

export const versions = (count: number, axis = 'version'): SearchAxis => ({ axis, values: Array.from({ length: count }, (_, index) => `v${index}`) });

export const beginState = (axes: readonly SearchAxis[]): SearchState => ({
  format: STATE_FORMAT, hangup: '0', startedAt: '2026-01-01T00:00:00.000Z', symptom: null, background: null, probes: [], result: null,
  question: {
    scenario: 'a/b', scenarioHash: '1', card: 'c', cardHash: '2', cardFiles: {}, commits: {}, images: {}, hangup: '0', judge: 1, runtime: 'process', defects: [],
    variables: {}, variablesHash: '3', axes, findGood: false, symptom: null, symptomFrom: null,
  },
});

export type Tried = Search & { readonly file: string; readonly tried: Place[] };

export type Over = Partial<Search> & { readonly state?: SearchState };

/** @param show what a run at a place shows, by how many there were before. @param file of its state */
export const tableSearch = (axes: readonly SearchAxis[], show: (place: Place, before: number) => Shown, file: string, over: Over): Tried => {
  const tried: Place[] = [];
  const counts = new Map<string, number>();
  const run = async (place: Place): Promise<Ran> => {
    tried.push(place);
    const key = JSON.stringify(place);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return { seen: seenWhen(show(place, before)), evidence: `at-${place.join('-')}-${before}`, tookMs: 1_000 };
  };
  return {
    store: createStore(file, over.state ?? beginState(axes), () => {}),
    run, axes, file, tried, wanted: null, confidence: 0.95, maxProbes: 200, endRuns: 20, jobs: 1, tell: () => {}, onRunning: () => {}, ...over,
  };
};

export const numberOf = (value: string | undefined): number => Number(value?.replace(/\D/g, ''));
