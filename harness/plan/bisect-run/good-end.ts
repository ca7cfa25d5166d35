// Looks backwards from the bad end for a good one. What is looked for is what the bad end violates and the furthest version that was
// run does not: a fault that is everywhere must not keep a newer one from being found.
import { concludeGood, nextGood, resumeFindGood } from '../bisect/find-good.ts';
import type { GoodConclusion, GoodSearch } from '../bisect/find-good.ts';
import type { Sought } from './answer.ts';
import { rateShownBy } from './engine.ts';
import { costsOf, recordedAt } from './line.ts';
import { drive, isSpent, nothingIn, settledOf, talliesOf, whyMuteEnds } from './search.ts';
import type { Line, Search } from './search.ts';
import { isShownTwice, soughtOf, symptomLike, symptomOfEnds, timesIn } from './standing.ts';
import type { Probe } from './state.ts';
import type { Symptom } from '../../model/symptom.ts';

export type GoodEnd =
  /** Indices on the line: the good one, and the nearest one that is known to be bad. */
  | { readonly from: number; readonly to: number }
  | { readonly word: 'no-good' | 'unverified' | 'no-difference' | 'budget'; readonly why: string };

type Looked = {
  readonly symptom: Symptom | null;
  readonly sought: Sought | null;
  readonly good: GoodSearch;
  /** Of the bad end: why it tells nothing; null: it does, or has not been asked often enough. */
  readonly mute: string | null;
};

type Unreached = Extract<GoodConclusion, { kind: 'unreached' }>;

const wasJudged = ({ seen }: Probe): boolean => seen.blame === null;

/** The furthest one need not be a good end: what the bad end shows only once in all of its runs was chance, and not what that one lacks. */
const symptomFrom = (ofBad: readonly Probe[], furthest: readonly Probe[], endRuns: number): Symptom | null => {
  const first = symptomOfEnds(ofBad, furthest);
  const isChance = first !== null && ofBad.length >= endRuns && timesIn(ofBad, first) < 2;
  return isChance ? symptomOfEnds(ofBad, []) : first;
};

const look = (search: Search, line: Line): Looked => {
  const { store, wanted, confidence, endRuns } = search;
  const last = line.places.length - 1;
  const ofBad = store.at(line.places[last]!);
  const furthest = line.places.slice(0, last).map((place) => store.at(place)).find((probes) => probes.some(wasJudged)) ?? [];
  const symptom = store.state().symptom ?? (wanted === null ? symptomFrom(ofBad, furthest, endRuns) : symptomLike(wanted, ofBad));
  const name = wanted ?? symptom?.fingerprint;
  const sought = settledOf(search) ?? (name === undefined ? null : soughtOf(name, furthest));
  // While nothing is looked for, no run is an answer.
  const tallies = sought === null ? [] : talliesOf(search, line, sought);
  const { probes } = store.state();
  const results = sought === null ? [] : recordedAt(probes, line.places, sought, tallies);
  const options = { versions: line.places.length, confidence, smallestRate: rateShownBy(endRuns), costs: costsOf(probes), maxProbes: Number.MAX_SAFE_INTEGER };
  return { symptom, sought, good: resumeFindGood({ options, results }), mute: tallies[last]?.given ?? null };
};

/** The bad end has shown nothing that could be looked for. @returns what that comes to; null: it is to be run again */
const nothingYet = ({ store, endRuns }: Search, { places, values }: Line): GoodEnd | null => {
  const [bad, probes] = [places.at(-1)!, store.at(places.at(-1)!)];
  return whyMuteEnds([[bad, probes]]) ?? nothingIn({ name: values.at(-1)!, probes }, null, endRuns);
};

const whyNone = (named: string, older: number): string => {
  if (older === 0) return `${named}, the oldest, shows it too`;
  return `${named} shows it too, and ${older === 1 ? 'the older one cannot' : `none of the ${older} older ones can`} be tested`;
};

const seenToo = ({ bad, untestable }: Unreached): string => {
  if (bad === 0) return 'none of them can be tested';
  return untestable === 0 ? 'all of them show it too' : `${bad} show it too, ${untestable} cannot be tested`;
};

/** Not that there is none: of those that were not tried one may be. */
const whyUnreached = (unreached: Unreached, end: string, older: number): string =>
  `of the ${older} that are older than ${end} ${unreached.bad + unreached.untestable} were tried: ${seenToo(unreached)}; where a good one is known, --good names it`;

const endOf = (conclusion: GoodConclusion, { axis, values }: Line, mute: string | null): GoodEnd => {
  const named = (version: number): string => `${axis} ${values[version]}`;
  switch (conclusion.kind) {
    case 'found': return { from: conclusion.good, to: conclusion.bad };
    case 'none': return { word: 'no-good', why: whyNone(named(conclusion.oldest), conclusion.oldest) };
    case 'unreached': return { word: 'unverified', why: whyUnreached(conclusion, named(values.length - 1), values.length - 1) };
    case 'bad-is-good': return { word: 'no-difference', why: `${named(values.length - 1)} is good in all of ${conclusion.runs} runs` };
    case 'undecided': return { word: 'unverified', why: mute === null ? conclusion.reason : `${named(values.length - 1)} tells nothing: ${mute}` };
    case 'searching': return { word: 'budget', why: 'the budget was spent before a good value was found' };
  }
};

/** @returns where to search, with what is looked for settled; or why there is nothing to search */
export const findGoodEnd = async (search: Search, line: Line): Promise<GoodEnd> => {
  await drive(search, (running) => {
    if (running.length > 0 || isSpent(search)) return [];
    const { symptom, sought, good } = look(search, line);
    if (sought === null && nothingYet(search, line) !== null) return [];
    const bad = line.places.at(-1)!;
    if (search.wanted === null && symptom !== null && !isShownTwice(symptom, search.store.at(bad), search.endRuns)) return [bad];
    const [probe] = nextGood(good);
    if (!probe) return [];
    search.tell(`looking for a good ${line.axis}: ${line.values[probe.version]}`);
    return [line.places[probe.version]!];
  });
  const { symptom, sought, good, mute } = look(search, line);
  const end = (sought === null ? nothingYet(search, line) : null) ?? endOf(concludeGood(good), line, mute);
  if ('from' in end) await search.store.settle({ symptom, background: [...(sought?.background ?? [])] });
  return end;
};
