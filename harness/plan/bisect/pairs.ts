// Two axes at once: which of two parts carries the symptom, or do both together? Each question is a search
// along a line of pairs, and all lines share what was recorded. The answer is a pair of which neither part
// can be one version older.
import type { Answer } from './answer.ts';
import type { Probe } from './choose.ts';
import type { Conclusion } from './conclusion.ts';
import type { SearchOptions } from './options.ts';
import { settle } from './options.ts';
import type { Search } from './search.ts';
import { conclude, next, record, startSearch } from './search.ts';

/** Versions of the first and of the second axis; [0, 0] is good, the last of both is bad. */
export type Pair = readonly [number, number];
export type PairRecorded = { readonly pair: Pair; readonly answer: Answer };
export type PairOptions = Omit<SearchOptions, 'versions'> & { readonly first: number; readonly second: number };
/** Plain data; the whole search follows from it. */
export type PairState = { readonly options: PairOptions; readonly results: readonly PairRecorded[] };
export type PairProbe = Omit<Probe, 'version'> & { readonly pair: Pair };

export type Minimal = {
  readonly pair: Pair;
  /** Its good neighbours, each of which was run: one version older in one part. */
  readonly good: readonly Pair[];
  /** Of each axis: 1 is exact, more is a run of versions that cannot be run. */
  readonly widths: Pair;
};

/** What is asked along a line of pairs. */
type About = 'ends' | 'carrier' | 'minimal';

export type PairConclusion =
  | { readonly kind: 'searching'; readonly about: About }
  /** `either`: each part alone has it; then there are two minimal pairs. */
  | {
      readonly kind: 'found';
      readonly carrier: 'first' | 'second' | 'both' | 'either';
      /** Parts of which it cannot be run whether they carry it alone. */
      readonly untold: readonly ('first' | 'second')[];
      readonly minimal: readonly Minimal[];
      readonly confidence: number;
    }
  /** One line of pairs came to nothing; its pairs are in the order of its versions. Only where it is about the ends is nothing to be found. */
  | { readonly kind: 'stopped'; readonly about: About; readonly line: readonly Pair[]; readonly conclusion: Conclusion };

type Line = { readonly pairs: readonly Pair[]; readonly search: Search };
type Open = { readonly line: Line; readonly about: About };
/** What a question came to: between these two of its line, and how likely that is wrong. */
type Answered = { readonly good: number; readonly bad: number; readonly doubt: number };

const isSame = (one: Pair, other: Pair): boolean => one[0] === other[0] && one[1] === other[1];
const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, index) => index);

const confidenceOf = ({ options: { confidence = 0.95 } }: PairState): number => confidence;

/** So many decisions are made on the way to an answer, mostly: the ends, two corners, along, down, beside. Each may be wrong. */
const DECISIONS = 6;

const lineOf = (state: PairState, pairs: readonly Pair[], decisions: number): Line => {
  const { options: { first: _, second: __, ...rest }, results } = state;
  const start = startSearch({ ...rest, versions: pairs.length, confidence: 1 - (1 - confidenceOf(state)) / decisions });
  const search = results.reduce((all, { pair, answer }) => {
    const version = pairs.findIndex((one) => isSame(one, pair));
    return version < 0 ? all : record(all, { version, answer });
  }, start);
  return { pairs, search };
};

type Found = Extract<PairConclusion, { kind: 'found' }>;
type Outcome = { readonly open: Open } | { readonly stopped: PairConclusion } | { readonly found: Found };
type Ask = (pairs: readonly Pair[], about: About) => Answered | Outcome;

const asker = (state: PairState, decisions: number): Ask => (pairs, about) => {
  const line = lineOf(state, pairs, decisions);
  const conclusion = conclude(line.search);
  if (conclusion.kind === 'searching') return { open: { line, about } };
  if (conclusion.kind !== 'found') return { stopped: { kind: 'stopped', about, line: pairs, conclusion } };
  return { good: conclusion.good, bad: conclusion.bad, doubt: 1 - conclusion.confidence };
};

const isAnswer = (one: Answered | Outcome): one is Answered => 'doubt' in one;

/** One part carries it alone: along its own axis, the other part as old as can be. */
const alone = (ask: Ask, axis: 0 | 1, last: Pair): { readonly minimal: Minimal; readonly doubt: number } | Outcome => {
  const at = (version: number): Pair => (axis === 0 ? [version, 0] : [0, version]);
  const answer = ask(upTo(last[axis]).map(at), 'minimal');
  if (!isAnswer(answer)) return answer;
  const width = answer.bad - answer.good;
  return { minimal: { pair: at(answer.bad), good: [at(answer.good)], widths: axis === 0 ? [width, 1] : [1, width] }, doubt: answer.doubt };
};

/** Neither carries it alone: first the first part as old as can be, then the second; then the first is tried again. */
const together = (ask: Ask, [lastFirst, lastSecond]: Pair): { readonly minimal: Minimal; readonly doubt: number } | Outcome => {
  let second = lastSecond;
  let top = lastFirst;
  let doubt = 0;
  for (;;) {
    const along = ask(upTo(top).map((version): Pair => [version, second]), 'minimal');
    if (!isAnswer(along)) return along;
    const first = along.bad;
    const down = ask(upTo(second).map((version): Pair => [first, version]), 'minimal');
    if (!isAnswer(down)) return down;
    doubt += along.doubt + down.doubt;
    const at = (version: number): Pair => [version, down.bad];
    // One older in the first part was good with a younger second; that it is so here too is seen, not concluded.
    const short: readonly Pair[] = [[0, 0], at(along.good), at(first)];
    const beside = ask(short, 'minimal');
    if (!isAnswer(beside)) return beside;
    // Where it cannot be run, the nearest older one that can.
    const older = beside.bad - beside.good === 1 ? short : [[0, 0] as const, ...upTo(first).map(at)];
    const check = older === short ? beside : ask(older, 'minimal');
    if (!isAnswer(check)) return check;
    doubt += check.doubt;
    const [good, [found]] = [older[check.good]!, older[check.bad]!];
    if (found === first) {
      // The good end itself is a neighbour of nothing here: then of this part none can be named.
      const [named, width] = check.good === 0 ? [[], first + 1] : [[good], first - good[0]];
      return { minimal: { pair: at(first), good: [...named, [first, down.good]], widths: [width, down.bad - down.good] }, doubt };
    }
    // Younger ones of the second part had it not there: still it is a pair that has it and of which neither can be older.
    if (found === 0) return alone(ask, 1, at(0));
    top = found;
    second = down.bad;
  }
};

const walkFor = (state: PairState, decisions: number): Outcome => {
  const ask = asker(state, decisions);
  const last: Pair = [state.options.first - 1, state.options.second - 1];
  const ends = ask([[0, 0], last], 'ends');
  if (!isAnswer(ends)) return ends;
  const corners = [[last[0], 0], [0, last[1]]] as const;
  const carriers: boolean[] = [];
  const isTold: boolean[] = [];
  let doubt = ends.doubt;
  for (const corner of corners) {
    const answer = ask([[0, 0], corner, last], 'carrier');
    if (!isAnswer(answer)) return answer;
    carriers.push(answer.bad === 1);
    // Where the corner lies between both, it cannot be run.
    isTold.push(answer.bad - answer.good === 1);
    doubt += answer.doubt;
  }
  const minimal: Minimal[] = [];
  const parts = carriers.some(Boolean) ? carriers.flatMap((carries, axis) => (carries ? [() => alone(ask, axis as 0 | 1, last)] : [])) : [() => together(ask, last)];
  for (const part of parts) {
    const answer = part();
    if (!('minimal' in answer)) return answer;
    minimal.push(answer.minimal);
    doubt += answer.doubt;
  }
  const carrier = carriers[0] && carriers[1] ? 'either' : carriers[0] ? 'first' : carriers[1] ? 'second' : 'both';
  const untold = (['first', 'second'] as const).filter((_, axis) => !isTold[axis]);
  return { found: { kind: 'found', carrier, untold, minimal, confidence: Math.max(0, 1 - doubt) } };
};

/** Where it took more decisions than mostly, all of them are to be surer: the first that is not is run on. */
const walk = (state: PairState): Outcome => {
  for (let decisions = DECISIONS; ; decisions *= 2) {
    const outcome = walkFor(state, decisions);
    if (!('found' in outcome) || outcome.found.confidence >= confidenceOf(state)) return outcome;
  }
};

/** @throws RangeError where there are not two versions of each */
export const startPairs = (options: PairOptions): PairState => {
  const { first, second, ...rest } = options;
  for (const versions of [first, second]) settle({ ...rest, versions });
  return { options, results: [] };
};

export const recordPair = (state: PairState, recorded: PairRecorded): PairState => ({ options: state.options, results: [...state.results, recorded] });

export const concludePairs = (state: PairState): PairConclusion => {
  const outcome = walk(state);
  return 'open' in outcome ? { kind: 'searching', about: outcome.open.about } : 'found' in outcome ? outcome.found : outcome.stopped;
};

/** @param running pairs whose runs are not over @returns none when it is over */
export const nextPairs = (state: PairState, { count = 1, running = [] }: { readonly count?: number; readonly running?: readonly Pair[] } = {}): readonly PairProbe[] => {
  const outcome = walk(state);
  if (!('open' in outcome)) return [];
  const { pairs, search } = outcome.open.line;
  const onLine = running.map((pair) => pairs.findIndex((one) => isSame(one, pair))).filter((version) => version >= 0);
  return next(search, { count, running: onLine }).map(({ version, ...rest }) => ({ pair: pairs[version]!, ...rest }));
};
