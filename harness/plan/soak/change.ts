// Which scenarios were not passed more often, or less, than in all earlier nights. All of a night are asked at once: each alone, some
// would have changed every night by chance.
import { sameRate } from '../../model/same-rate.ts';
import type { Counted } from '../../model/same-rate.ts';
import type { SoakCell } from '../../model/soak.ts';
import { adjustedForMany } from './statistics.ts';

type Change = SoakCell['change'];

/** Of a whole night, however many scenarios it has: how often one or more that go on as before are said to have changed. */
const ALPHA = 0.01;
/** One run that is unlike all others, tonight and before, is no rate; its symptom is told. */
const LEAST_UNLIKE = 2;

type Compared = Pick<SoakCell, 'notPassed' | 'before'>;

/** Decided by both nights together, so that leaving the others out makes no chance of what is left. */
const canBeCompared = (one: Counted, other: Counted): boolean => {
  const hits = one.count + other.count;
  return one.of > 0 && other.of > 0 && Math.min(hits, one.of + other.of - hits) >= LEAST_UNLIKE;
};

/** @returns in the order given; null also where there is nothing to compare */
export const changesOf = (cells: readonly Compared[]): readonly Change[] => {
  const asked = cells.flatMap(({ notPassed, before }, index) => (before === null || !canBeCompared(notPassed, before) ? [] : [{ index, notPassed, before }]));
  const adjusted = adjustedForMany(asked.map(({ notPassed, before }) => sameRate(notPassed, before)));
  const changes = new Array<Change>(cells.length).fill(null);
  for (const [place, { index, notPassed, before }] of asked.entries())
    if (adjusted[place]! < ALPHA) changes[index] = notPassed.count * before.of > before.count * notPassed.of ? 'more often' : 'less often';
  return changes;
};
