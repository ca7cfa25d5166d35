// Which versions can be run at all. Those that cannot mostly lie side by side, so where one is found the
// next try keeps away from it, and what lies between such is given up after some tries.
import type { Counts } from './answer.ts';
import type { Settled } from './options.ts';

export type Testable = {
  /** How likely it is that this version can be run. */
  readonly chance: (version: number) => number;
  /** None of those between can be run, or they were given up: their positions cannot be told apart. */
  readonly isClosed: (from: number, to: number) => boolean;
  /** Of those between, how many were not tried. */
  readonly untried: (from: number, to: number) => number;
  readonly hasUntestable: (from: number, to: number) => boolean;
  readonly isUntestable: (version: number) => boolean;
};

type Known = { readonly version: number; readonly isTestable: boolean };

/** Index of the first that is not below. */
const lowerBound = (known: readonly Known[], version: number): number => {
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (known[middle]!.version < version) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** So often has a run of untestable versions been tried, around the place before `index`. */
const triesAround = (known: readonly Known[], index: number): number => {
  let first = index;
  let last = index - 1;
  while (first > 0 && !known[first - 1]!.isTestable) first -= 1;
  while (last + 1 < known.length && !known[last + 1]!.isTestable) last += 1;
  return last - first + 1;
};

const chanceBetween = (known: readonly Known[], index: number, version: number): number => {
  const below = known[index - 1];
  const above = known[index];
  const isBelow = below?.isTestable ?? true;
  const isAbove = above?.isTestable ?? true;
  if (isBelow && isAbove) return 1;
  // An island among those that cannot be run is rare, and rarer with each try that found none.
  if (!isBelow && !isAbove) return (2 + triesAround(known, index)) ** -3;
  // The border of the run is somewhere between the two, anywhere alike.
  const toBelow = version - (below?.version ?? -1);
  const toAbove = (above?.version ?? version + 1) - version;
  return (isBelow ? toAbove : toBelow) / (toBelow + toAbove);
};

export const testableOf = (counts: readonly Counts[], { othersLimit, untestableTries }: Settled): Testable => {
  const stateOf = ({ good, bad, other, untestable }: Counts): 'run' | 'not' | 'unknown' =>
    untestable > 0 || (other >= othersLimit && good + bad === 0) ? 'not' : good + bad > 0 ? 'run' : 'unknown';
  const known = counts.flatMap((one): readonly Known[] => {
    const state = stateOf(one);
    return state === 'unknown' ? [] : [{ version: one.version, isTestable: state === 'run' }];
  });
  const at = (version: number): Known | undefined => known.find((one) => one.version === version);
  const isNot = (version: number): boolean => at(version)?.isTestable === false;
  const inside = (from: number, to: number): readonly Known[] => known.filter(({ version }) => version > from && version < to);
  // An end that is among those that cannot be run is no border of theirs, and their run goes on behind it.
  const isBorder = (end: number, beside: number): boolean => isNot(end) || isNot(beside);
  const isGivenUp = (from: number, to: number): boolean =>
    inside(from, to).length === to - from - 1 ||
    (triesAround(known, lowerBound(known, from + 1)) >= untestableTries && isBorder(from, from + 1) && isBorder(to, to - 1));
  return {
    chance: (version) => {
      const index = lowerBound(known, version);
      const own = known[index];
      return own?.version === version ? (own.isTestable ? 1 : 0) : chanceBetween(known, index, version);
    },
    isClosed: isGivenUp,
    untried: (from, to) => to - from - 1 - inside(from, to).length,
    hasUntestable: (from, to) => known.some(({ version, isTestable }) => !isTestable && version >= from && version <= to),
    isUntestable: isNot,
  };
};
