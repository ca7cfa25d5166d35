// A search along one line: what was recorded is told to the mathematics, and what it asks for is run, as many side by side as may be,
// until it is sure, until only versions are left that cannot be tested, or until the budget is spent.
import type { Recorded } from '../bisect/answer.ts';
import type { Conclusion } from '../bisect/conclusion.ts';
import { sentence } from '../bisect/sentence.ts';
import { answerOf } from './answer.ts';
import type { Sought } from './answer.ts';
import { advise } from './engine.ts';
import type { Advice } from './engine.ts';
import { drive, isSpent, talliesOf } from './search.ts';
import type { Line, Search } from './search.ts';
import type { Tally } from './standing.ts';
import type { Probe } from './state.ts';
import type { Place } from './store.ts';

/** Where a line stands. Numbers count its places. */
export type Reckoned = Omit<Advice, 'next'> & {
  readonly line: Line;
  readonly tallies: readonly Tally[];
  readonly isSpent: boolean;
};

/** What was recorded at these places, in the order in which it was. One that is given up is untestable from then on. */
export const recordedAt = (probes: readonly Probe[], places: readonly Place[], sought: Sought, tallies: readonly Tally[]): readonly Recorded[] => {
  const indexOf = new Map(places.map((place, index) => [JSON.stringify(place), index]));
  const runs = probes.flatMap(({ at, seen }): readonly Recorded[] => {
    const version = indexOf.get(JSON.stringify(at));
    const answer = answerOf(seen, sought);
    return version !== undefined && (answer === 'good' || answer === 'bad') ? [{ version, answer }] : [];
  });
  return [...runs, ...tallies.flatMap(({ given }, version): readonly Recorded[] => (given === null ? [] : [{ version, answer: 'untestable' }]))];
};

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

/** A version that takes a minute to be built is worth several runs once it is there. */
export const costsOf = (probes: readonly Probe[]): { readonly prepare: number; readonly run: number } => {
  const made = probes.flatMap(({ prepareMs = 0 }) => (prepareMs > 0 ? [prepareMs] : []));
  return { prepare: mean(made), run: Math.max(1, mean(probes.map(({ tookMs }) => tookMs))) };
};

const reckon = (search: Search, line: Line, sought: Sought, running: readonly number[]): { readonly reckoned: Reckoned; readonly next: readonly number[] } => {
  const { store, confidence, endRuns, jobs } = search;
  const { probes } = store.state();
  const tallies = talliesOf(search, line, sought);
  const recorded = recordedAt(probes, line.places, sought, tallies);
  const { next, ...advice } = advise({ recorded, versions: line.places.length, confidence, endRuns, jobs, running, costs: costsOf(probes) });
  return { reckoned: { ...advice, line, tallies, isSpent: isSpent(search) }, next };
};

/**
 * Why no version is named, in the words of the mathematics.
 * @param given why nothing more is asked of a version; null: it can be asked
 */
export const whyOf = (conclusion: Conclusion, name: (version: number) => string, given: (version: number) => string | null): string => {
  if (conclusion.kind !== 'undecided' || !('untestable' in conclusion)) return sentence(conclusion, name);
  const { untestable, reason } = conclusion;
  return `an end cannot be tested: ${name(untestable)}: ${given(untestable) ?? reason}`;
};

/** @param show is told after every run */
export const searchLine = async (search: Search, line: Line, sought: Sought, show: (reckoned: Reckoned) => void): Promise<Reckoned> => {
  await drive(search, (running) => {
    const { reckoned, next } = reckon(search, line, sought, running.map((place) => line.places.indexOf(place)));
    show(reckoned);
    search.tell(reckoned.verdict === 'ends' ? 'verifying both ends' : `searching ${line.axis}`);
    return next.map((index) => line.places[index]!);
  });
  return reckon(search, line, sought, []).reckoned;
};
