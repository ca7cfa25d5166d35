// Numbers that look like chance and are the same wherever the seed and the words are: a seed printed by one run gives another
// its order and its times. Built on xoshiro128** (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021).
import { createHash } from 'node:crypto';

export type Random = {
  /** In [0, 1), in steps of 2^-53. */
  readonly next: () => number;
  /** A whole number in [0, count), each as likely as the others. `count` is at most 2^53. */
  readonly below: (count: number) => number;
  /** The same entries in another order, every order as likely as the others. */
  readonly shuffled: <T>(list: readonly T[]) => readonly T[];
};

const SPAN = 2 ** 53;

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** 32 bits at a time. The state is a digest, so that neighbouring seeds have nothing in common. */
const createWords = (digest: Buffer): (() => number) => {
  let [a, b, c, d] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
  // All zero is the one state that never leaves itself.
  if ((a | b | c | d) === 0) d = 1;
  return () => {
    const word = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const kept = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= kept;
    d = rotated(d, 11);
    return word;
  };
};

/**
 * @param seed as a user gives it
 * @param words what this is for (`order`, the id of a cell, the place of a wait): each has numbers of its own, so that adding one
 *   changes none of the others
 */
export const createRandom = (seed: number, ...words: readonly (string | number)[]): Random => {
  const nextWord = createWords(createHash('sha256').update(JSON.stringify([seed, ...words])).digest());
  const next = (): number => ((nextWord() >>> 5) * 2 ** 26 + (nextWord() >>> 6)) / SPAN;
  const below = (count: number): number => {
    // What is left over at the end would make small numbers likelier: drawn again.
    const fair = SPAN - (SPAN % count);
    for (;;) {
      const drawn = next() * SPAN;
      if (drawn < fair) return drawn % count;
    }
  };
  const shuffled = <T>(list: readonly T[]): readonly T[] => {
    const entries = [...list];
    for (let last = entries.length - 1; last > 0; last -= 1) {
      const other = below(last + 1);
      [entries[last], entries[other]] = [entries[other]!, entries[last]!];
    }
    return entries;
  };
  return { next, below, shuffled };
};

/** Short enough to be typed. */
const SEEDS = 2 ** 32;

/** A seed for a run that was given none; not reproducible, which is the point. */
export const anySeed = (): number => Math.floor(Math.random() * SEEDS);

/** The seed with which attempt 1 is what attempt `attempt` is with `seed`: for running one of many attempts again alone. */
export const seedOf = (seed: number, attempt: number): number => (attempt === 1 ? seed : createRandom(seed, 'attempt', attempt).below(SEEDS));
