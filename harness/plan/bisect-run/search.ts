// The search itself: both ends first, then versions between them as the mathematics asks for them, several side by side; every run is
// written down when it ends. Two axes are searched one after the other, which for a fault that needs both gives the minimal pair.
import type { Seen, Sought } from './answer.ts';
import type { SearchAxis } from './question.ts';
import { isShownTwice, soughtOf, symptomLike, symptomOfEnds, tallyOf, whyMute } from './standing.ts';
import type { Tally } from './standing.ts';
import type { Probe } from './state.ts';
import type { Place, Store } from './store.ts';

/** `prepareMs`: what making it ready took, where it was not ready before. */
export type Ran = { readonly seen: Seen; readonly evidence: string | null; readonly prepareMs?: number; readonly tookMs: number };

/** One run at a place. Throws what is not the version's doing. */
export type Runner = (place: Place) => Promise<Ran>;

export type Search = {
  readonly store: Store;
  readonly run: Runner;
  readonly axes: readonly SearchAxis[];
  /** What `isSymptom` takes, where it was asked for. */
  readonly wanted: string | null;
  readonly confidence: number;
  readonly maxProbes: number;
  readonly endRuns: number;
  /** Side by side. */
  readonly jobs: number;
  /** What is being done, for people. */
  readonly tell: (phase: string) => void;
  readonly onRunning: (place: Place, isRunning: boolean) => void;
};

/** The budget is spent. */
export const isSpent = ({ store, maxProbes }: Search): boolean => store.state().probes.length >= maxProbes;

/** Runs that go on side by side. Each that ended is kept, also where another one threw. */
type Crew = {
  /** Nothing happens once the budget is spent, or one has thrown. */
  readonly start: (place: Place) => void;
  readonly running: () => readonly Place[];
  /** Resolves when one has ended. @throws what one threw, when all have ended */
  readonly one: () => Promise<void>;
};

const createCrew = (search: Search): Crew => {
  const running = new Map<Promise<void>, Place>();
  const failures: unknown[] = [];
  const work = async (place: Place): Promise<void> => {
    search.onRunning(place, true);
    try {
      const ran = await search.run(place);
      await search.store.record({ at: place, ...ran, endedAt: new Date().toISOString() });
    } catch (error) {
      failures.push(error);
    } finally {
      search.onRunning(place, false);
    }
  };
  return {
    running: () => [...running.values()],
    start: (place) => {
      if (failures.length > 0 || search.store.state().probes.length + running.size >= search.maxProbes) return;
      const working = work(place).then(() => void running.delete(working));
      running.set(working, place);
    },
    one: async () => {
      await Promise.race(running.keys());
      if (failures.length === 0) return;
      await Promise.all(running.keys());
      throw failures[0];
    },
  };
};

/**
 * Asks what to run whenever something has ended, until nothing runs and nothing is to be run.
 * @param step what is to be run beside what is running
 */
export const drive = async (search: Search, step: (running: readonly Place[]) => readonly Place[]): Promise<void> => {
  const crew = createCrew(search);
  for (;;) {
    for (const place of step(crew.running())) crew.start(place);
    if (crew.running().length === 0) return;
    await crew.one();
  }
};

/** Runs these side by side, as far as the budget goes. */
export const runAll = async (search: Search, places: readonly Place[]): Promise<void> => {
  let left = places;
  await drive(search, () => {
    const now = left;
    left = [];
    return now;
  });
};

/** One axis, or a part of it: its places from good to bad. */
export type Line = { readonly axis: string; readonly places: readonly Place[]; readonly values: readonly string[] };

/** @param from index of the first value of it, as `to` is of the last */
export const lineOf = ({ axis, values }: SearchAxis, from = 0, to = values.length - 1): Line => {
  const kept = values.slice(from, to + 1);
  return { axis, values: kept, places: kept.map((value) => [value]) };
};

export const talliesOf = ({ store }: Search, { places }: Line, sought: Sought): readonly Tally[] =>
  places.map((place) => tallyOf(store.at(place), sought));

/** Once settled it stays, also when it is taken up again: later runs of a good end that fails at times must not change the question. */
export const settledOf = ({ store, wanted }: Search): Sought | null => {
  const { symptom, background } = store.state();
  const name = wanted ?? symptom?.fingerprint;
  return background === null || name === undefined ? null : { wanted: name, background: new Set(background) };
};

/** Why there is nothing to search between. */
export type NoEnds = { readonly why: string; readonly word: 'no-difference' | 'unverified' | 'budget' };
export type Ends = { readonly sought: Sought } | NoEnds;

const asked = (words: string, count: number): string => `${words} in ${count} run${count === 1 ? '' : 's'}`;

const isJudged = ({ seen }: Probe): boolean => seen.blame === null;

type End = { readonly name: string; readonly probes: readonly Probe[] };

/**
 * The bad end shows nothing.
 * @param good null: none is known yet
 * @returns what that comes to: only runs that passed speak for it; null: it is to be run again
 */
export const nothingIn = ({ name: bad, probes }: End, good: End | null, endRuns: number): NoEnds | null => {
  const passed = probes.filter(({ seen }) => seen.outcome === 'passed').length;
  const shown = good?.probes.flatMap(({ seen }) => seen.symptoms)[0];
  if (passed >= endRuns && good && shown)
    return { word: 'unverified', why: `${good.name}, named good, violates ${shown.claim}, and ${asked(`${bad} violates nothing`, passed)}: are they the wrong way round?` };
  if (passed >= endRuns) return { word: 'no-difference', why: `${good ? 'both ends are good: ' : ''}${asked(`${bad} violates nothing`, passed)}` };
  const open = probes.length - passed;
  return open >= endRuns ? { word: 'unverified', why: `${asked(`${bad} gave no verdict`, open)}${passed > 0 ? `, and passed in ${passed}` : ''}` } : null;
};

export const whyMuteEnds = (ends: readonly (readonly [Place, readonly Probe[]])[]): NoEnds | null => {
  const mute = ends.flatMap(([place, probes]) => {
    const why = whyMute(probes);
    return why === null ? [] : [`${place.join(', ')}: ${why}`];
  });
  return mute.length > 0 ? { word: 'unverified', why: `an end cannot be tested: ${mute.join('; ')}` } : null;
};

/**
 * Runs both ends until it is known what is looked for.
 * @returns that, or why nothing can be
 */
export const settleEnds = async (search: Search, good: Place, bad: Place): Promise<Ends> => {
  const { store, wanted, endRuns, jobs, tell } = search;
  tell('running both ends');
  for (;;) {
    const [ofGood, ofBad] = [store.at(good), store.at(bad)];
    const mute = whyMuteEnds([[bad, ofBad], [good, ofGood]]);
    if (mute !== null) return mute;
    const settled = settledOf(search);
    const isGoodKnown = ofGood.some(isJudged);
    if (settled !== null && isGoodKnown) return { sought: settled };
    const symptom = wanted === null ? symptomOfEnds(ofBad, ofGood) : symptomLike(wanted, ofBad);
    const isEnough = wanted !== null || (symptom !== null && (isShownTwice(symptom, ofBad, endRuns) || isSpent(search)));
    if (isGoodKnown && isEnough) {
      const sought = soughtOf(wanted ?? symptom!.fingerprint, ofGood);
      await store.settle({ symptom, background: [...(sought.background ?? [])] });
      return { sought };
    }
    const nothing = symptom === null && isGoodKnown ? nothingIn({ name: bad.join(', '), probes: ofBad }, { name: good.join(', '), probes: ofGood }, endRuns) : null;
    if (nothing !== null) return nothing;
    if (isSpent(search)) return { word: 'budget', why: 'the budget was spent before the ends were known' };
    // The first time each end once, and what has shown itself once more: what always fails is known then.
    const isFirst = !ofBad.some(isJudged) || (ofBad.length === 1 && symptom !== null && !isEnough);
    const count = isFirst ? 1 : isEnough ? 0 : Math.min(jobs, Math.max(1, endRuns - ofBad.length));
    await runAll(search, [...(isGoodKnown ? [] : [good]), ...Array.from({ length: count }, () => bad)]);
  }
};
