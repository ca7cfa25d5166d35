// Whether two shares may come of one rate, and whether misses that are the last of all may be so by chance.
export type Counted = { readonly count: number; readonly of: number };

/** Two chances that differ by less than this are the same one, rounded twice. */
const ROUNDING = 1e-7;

/**
 * Fisher's exact test, two-sided: how likely two shares are to lie as far apart as these, or further, where both come of one rate. What
 * is no likelier than what was counted is added up, as R does it. Chances are taken relative to the likeliest, so that nothing overflows.
 * @returns 1 where one of them is of nothing
 */
export const sameRate = (one: Counted, other: Counted): number => {
  const [hits, misses] = [one.count + other.count, one.of + other.of - one.count - other.count];
  const [least, most] = [Math.max(0, one.of - misses), Math.min(one.of, hits)];
  /** How much likelier it is to count one more than `count`. */
  const step = (count: number): number => ((hits - count) * (one.of - count)) / ((count + 1) * (misses - one.of + count + 1));
  const likeliest = Math.min(most, Math.max(least, Math.floor(((one.of + 1) * (hits + 1)) / (one.of + other.of + 2))));
  const chances = new Map([[likeliest, 1]]);
  for (let count = likeliest; count < most; count += 1) chances.set(count + 1, chances.get(count)! * step(count));
  for (let count = likeliest; count > least; count -= 1) chances.set(count - 1, chances.get(count)! / step(count - 1));
  const all = [...chances.values()];
  const asSeen = chances.get(one.count)! * (1 + ROUNDING);
  const sum = (some: readonly number[]): number => some.reduce((total, each) => total + each, 0);
  return Math.min(1, sum(all.filter((chance) => chance <= asSeen)) / sum(all));
};

/**
 * How likely so many misses or more are the last of all, one after the other, where any order of what was counted is as likely as another.
 * @returns 1 where nothing was ever hit
 */
export const missesAtLast = ({ count, of }: Counted, run: number): number =>
  Array.from({ length: run }, (_, before) => (of - count - before) / (of - before)).reduce((chance, each) => chance * each, 1);
