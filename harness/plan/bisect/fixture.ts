// Synthetic axes for tests of the search: versions with failure rates, and a seeded run of it to its end.
import { createRandom } from '../../model/random.ts';
import type { Answer } from './answer.ts';
import type { SearchOptions } from './options.ts';
import type { Search } from './search.ts';
import { next, record, startSearch } from './search.ts';

export type Axis = (version: number, random: () => number) => Answer;

/** The symptom with one rate from the culprit on, with another before it. */
export const breaksAt = (culprit: number, after = 1, before = 0): Axis => (version, random) => (random() < (version >= culprit ? after : before) ? 'bad' : 'good');

/** Runs it to its end. @param count probes side by side */
export const runSearch = (options: SearchOptions, axis: Axis, seed: number, count = 1): Search => {
  const random = createRandom(seed, 'axis').next;
  let search = startSearch(options);
  for (;;) {
    const probes = next(search, { count });
    if (probes.length === 0) return search;
    for (const { version, repeats } of probes) for (let run = 0; run < repeats; run += 1) search = record(search, { version, answer: axis(version, random) });
  }
};
