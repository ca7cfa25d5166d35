// A search along one line: what was recorded is told to the mathematics, what it asks for is run, until it is sure, until only
// versions are left that cannot be tested, or until the budget is spent.
import type { Recorded } from '../bisect/answer.ts';
import { answerOf } from './answer.ts';
import type { Sought } from './answer.ts';
import { advise } from './engine.ts';
import type { Advice } from './engine.ts';
import { isSpent, runAll, talliesOf } from './search.ts';
import type { Line, Search } from './search.ts';
import type { Tally } from './standing.ts';

/** Where a line stands. Numbers count its places. */
export type Reckoned = Pick<Advice, 'likely' | 'lastGood' | 'firstBad' | 'confidence' | 'rates' | 'verdict'> & {
  readonly line: Line;
  readonly tallies: readonly Tally[];
  readonly isSpent: boolean;
};

/** What was recorded along a line, in the order in which it was. A version that is given up is untestable from then on. */
export const recordedOf = ({ store }: Pick<Search, 'store'>, { places }: Line, sought: Sought, tallies: readonly Tally[]): readonly Recorded[] => {
  const indexOf = new Map(places.map((place, index) => [JSON.stringify(place), index]));
  const runs = store.state().probes.flatMap(({ at, seen }): readonly Recorded[] => {
    const version = indexOf.get(JSON.stringify(at));
    const answer = answerOf(seen, sought);
    return version !== undefined && (answer === 'good' || answer === 'bad') ? [{ version, answer }] : [];
  });
  return [...runs, ...tallies.flatMap(({ given }, version): readonly Recorded[] => (given === null ? [] : [{ version, answer: 'untestable' }]))];
};

const reckon = (search: Search, line: Line, sought: Sought): { readonly reckoned: Reckoned; readonly next: readonly number[] } => {
  const tallies = talliesOf(search, line, sought);
  const { next, ...advice } = advise(recordedOf(search, line, sought, tallies), line.places.length, search.confidence, search.jobs);
  return { reckoned: { ...advice, line, tallies, isSpent: isSpent(search) }, next };
};

/** @param show is told after each round */
export const searchLine = async (search: Search, line: Line, sought: Sought, show: (reckoned: Reckoned) => void): Promise<Reckoned> => {
  for (;;) {
    const { reckoned, next } = reckon(search, line, sought);
    show(reckoned);
    if (next.length === 0 || reckoned.isSpent) return reckoned;
    search.tell(reckoned.verdict === 'ends' ? 'verifying both ends' : `searching ${line.axis}${line.holding === '' ? '' : ` with ${line.holding}`}`);
    await runAll(search, next.map((index) => line.places[index]!));
  }
};
