// Gaps side by side that are taken together: those that hold the symptom's beginning with some probability, and those that
// nothing will ever tell apart, because the versions between them cannot be run any more.
import type { Settled } from './options.ts';
import type { Gap, Posterior } from './posterior.ts';
import { observe } from './posterior.ts';
import type { Testable } from './testable.ts';

export type Range = { readonly from: number; readonly to: number; readonly mass: number };

const massOf = ({ from, to, mass }: Gap): number => (to - from) * mass;

/** Grown from the likeliest one, towards the likelier side, over the versions that may be in it. */
const grown = (gaps: readonly Gap[], share: number, mayHold: (version: number) => boolean): readonly Gap[] => {
  let first = gaps.reduce((best, gap, index) => (massOf(gap) > massOf(gaps[best]!) ? index : best), 0);
  let last = first;
  for (let mass = massOf(gaps[first]!); mass < share; ) {
    const below = first > 0 && mayHold(gaps[first]!.from) ? massOf(gaps[first - 1]!) : -1;
    const above = last < gaps.length - 1 && mayHold(gaps[last]!.to) ? massOf(gaps[last + 1]!) : -1;
    if (below < 0 && above < 0) break;
    if (below >= above) first -= 1;
    else last += 1;
    mass += Math.max(below, above);
  }
  return gaps.slice(first, last + 1);
};

const rangeFrom = (gaps: readonly Gap[]): Range => ({ from: gaps[0]!.from, to: gaps.at(-1)!.to, mass: gaps.reduce((sum, gap) => sum + massOf(gap), 0) });

/** The gaps side by side that hold so much. */
export const rangeOf = ({ gaps }: Posterior, share: number): Range => rangeFrom(grown(gaps, share, () => true));

/** So many more runs that all say the same are worth their while. */
const FEW = 4;

/** The ends tell how often the symptom shows, and with that whether a single verdict in between was chance. */
const couldBeTold = (posterior: Posterior, { versions, confidence }: Settled): boolean =>
  [0, versions - 1].some((end) => {
    const told = Array.from({ length: FEW }).reduce<Posterior>((all) => observe(all, end, end > 0), posterior);
    return told.gaps.some((gap) => massOf(gap) >= confidence);
  });

/**
 * Where the symptom begins with the confidence asked for, and cannot be told more closely: one gap, or several between which lie only
 * versions that cannot be run again and have said too little.
 * @returns null: there is more to be learnt
 */
export const likelyRange = (posterior: Posterior, settled: Settled, { isUntestable, isClosed }: Testable): Range | null => {
  const gaps = grown(posterior.gaps, settled.confidence, isUntestable);
  const range = rangeFrom(gaps);
  if (range.mass < settled.confidence || !isClosed(range.from, range.to)) return null;
  return gaps.length > 1 && couldBeTold(posterior, settled) ? null : range;
};
