// How few runs can come to an answer at all, so that a budget that cannot is refused before it is spent.
import type { Recorded } from '../bisect/answer.ts';
import { concludePairs, nextPairs, recordPair, startPairs } from '../bisect/pairs.ts';
import { advise, rateShownBy } from './engine.ts';

export type Asking = { readonly axes: number; readonly confidence: number; readonly endRuns: number };

const COSTS = { prepare: 0, run: 1 } as const;

const ofOne = ({ confidence, endRuns }: Asking): number => {
  // Each end is run before the mathematics is asked, in the order in which they end.
  const recorded: Recorded[] = [{ version: 0, answer: 'good' }, { version: 1, answer: 'bad' }];
  for (;;) {
    const { next: [version] } = advise({ recorded, versions: 2, confidence, endRuns, costs: COSTS, jobs: 1, running: [] });
    if (version === undefined) return recorded.length;
    recorded.push({ version, answer: version === 0 ? 'good' : 'bad' });
  }
};

const ofTwo = ({ confidence, endRuns }: Asking): number => {
  const smallestRate = rateShownBy(endRuns);
  let state = startPairs({ first: 2, second: 2, confidence, smallestRate, costs: COSTS, maxProbes: Number.MAX_SAFE_INTEGER });
  while (concludePairs(state).kind === 'searching') {
    const [{ pair }] = nextPairs(state) as [ReturnType<typeof nextPairs>[number]];
    state = recordPair(state, { pair, answer: pair[0] === 1 && pair[1] === 1 ? 'bad' : 'good' });
  }
  return state.results.length;
};

/** @returns those of the shortest search: two values on each axis, of which good ones are always good and bad ones always bad */
export const fewestRuns = (asking: Asking): number => (asking.axes === 1 ? ofOne(asking) : ofTwo(asking));
