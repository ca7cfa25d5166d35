// The forms of single options of commands that run cells: each reads its text into a value, or says in one line which form it takes.
import { problem } from '../model/problem.ts';
import { parseJobs } from '../plan/jobs.ts';
import type { Jobs } from '../plan/jobs.ts';
import { isBoundedPattern } from '../scenario/pattern.ts';

/** Which part of how many, counted from 1; `auto`: as the environment of the CI says. */
export type ShardWish = { readonly index: number; readonly count: number } | 'auto';

export const KEPT = ['violated', 'always'] as const;
export type KeepWish = (typeof KEPT)[number];

const refuse = (message: string, hint: string): Error => problem('scenario', 'bad-option', message, { hint });

/** `2/5` or `auto`. @throws ProblemError `bad-option` */
export const shard = (value: string): ShardWish => {
  if (value === 'auto') return 'auto';
  const [, index, count] = (/^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? []).map(Number);
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw refuse(`--shard takes k/n with k from 1 to n, or auto, not "${value}"`, 'for example --shard 2/5');
  return { index, count };
};

/** `4`, `50%` of what auto takes, or `auto`. @throws ProblemError `bad-option` */
export const jobs = (value: string): Jobs => {
  const parsed = parseJobs(value);
  if (parsed === undefined) throw refuse(`--jobs takes a whole number of at least 1, a share such as 50%, or auto, not "${value}"`, 'for example --jobs 4');
  return parsed;
};

/** The largest number in which every smaller whole number can still be told apart. */
const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

/** A whole number from 0. @throws ProblemError `bad-option` */
export const seed = (value: string): number => {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
  if (!(number <= LARGEST_SEED))
    throw refuse(`--seed takes a whole number from 0 to ${LARGEST_SEED}, not "${value}"`, 'each run prints its own in the first line');
  return number;
};

const LONGEST_PATTERN = 300;

/** A JavaScript regular expression. @throws ProblemError `bad-option` */
export const pattern =
  (option: string) =>
  (value: string): RegExp => {
    try {
      if (value !== '' && value.length <= LONGEST_PATTERN && isBoundedPattern(value)) return new RegExp(value);
    } catch {
      // Said below, in our words.
    }
    throw refuse(`${option} takes a regular expression of 1 to ${LONGEST_PATTERN} characters without a repetition of a repetition, not "${value.slice(0, 60)}"`,
      `for example ${option} 'endless|silent'; brackets of a name are written \\[how=fin\\]`);
  };

/** `--keep` alone is `violated`. @throws ProblemError `bad-option`, also where it has swallowed a path */
export const keep = (value: string): KeepWish => {
  const known = KEPT.find((one) => one === value);
  if (known) return known;
  throw refuse(`--keep takes ${KEPT.join(' or ')}, not "${value}"`, 'write --keep=violated, or put --keep behind the paths');
};
