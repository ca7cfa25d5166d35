// Which shard this machine is, as its CI tells every job in the environment. Each CI has its own names and counts from 0 or 1; one
// of them must say it whole, and all that say it must agree: a wrong position runs something twice and something else never.
import { problem } from '../../model/problem.ts';

/** Both counted from 1. */
export type Position = { readonly index: number; readonly count: number };

type Source = { readonly of: string; readonly index: string; readonly count: string; readonly first: 0 | 1; readonly how: string };

/** What is set by hand comes first, and beats what a CI says by itself. */
const BY_HAND: Source = {
  of: 'hangup', index: 'HANGUP_SHARD_INDEX', count: 'HANGUP_SHARD_TOTAL', first: 1, how: 'both set by hand, for example from a matrix',
};

/** As their documentation names them. A runner of one may itself be a job of another. */
const SOURCES: readonly Source[] = [
  { of: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1, how: '`parallel: n` in the job' },
  { of: 'CircleCI', index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0, how: '`parallelism: n` in the job' },
  { of: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', count: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0, how: '`parallelism: n` in the step' },
  { of: 'Bitbucket', index: 'BITBUCKET_PARALLEL_STEP', count: 'BITBUCKET_PARALLEL_STEP_COUNT', first: 0, how: 'a `parallel:` group' },
  { of: 'Semaphore', index: 'SEMAPHORE_JOB_INDEX', count: 'SEMAPHORE_JOB_COUNT', first: 1, how: '`parallelism: n` in the job' },
  { of: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', count: BY_HAND.count, first: 0, how: '`completionMode: Indexed`, and the completions in HANGUP_SHARD_TOTAL' },
];

export type Environment = Readonly<Record<string, string | undefined>>;

const valueOf = (environment: Environment, name: string): string | null => environment[name]?.trim() || null;

const refuse = (message: string, hint: string): Error => problem('scenario', 'no-shard-position', message, { hint });

const wholeOf = (name: string, text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw refuse(`${name} is "${text.slice(0, 40)}", which is no position`, 'it must be a whole number');
};

const read = (source: Source, environment: Environment): Position | null => {
  const [index, count] = [valueOf(environment, source.index), valueOf(environment, source.count)];
  if (index === null || count === null) return null;
  const position = { index: wholeOf(source.index, index) + 1 - source.first, count: wholeOf(source.count, count) };
  if (position.index < 1 || position.index > position.count)
    throw refuse(`${source.index}=${index} is none of ${source.count}=${count}: ${source.of} counts from ${source.first}`, 'look at how the job is given its position');
  return position;
};

/** Half of a pair, in words; GitLab gives every job a total, so that alone means nothing. */
const halves = (environment: Environment, sources: readonly Source[]): readonly string[] =>
  sources.flatMap(({ index, count, of, how }) => {
    const [hasIndex, hasCount] = [valueOf(environment, index) !== null, valueOf(environment, count) !== null];
    if (hasIndex === hasCount || (hasCount && count === BY_HAND.count && of !== 'hangup')) return [];
    return [`${hasIndex ? index : count} is there and ${hasIndex ? count : index} is not (${of}: ${how})`];
  });

const onlyHalf = (half: readonly string[]): Error =>
  refuse(`the position of this shard is only half there: ${half.join('; ')}`, 'set the other one too, or write --shard k/n');

const nothing = (environment: Environment): Error => {
  const half = halves(environment, [BY_HAND, ...SOURCES]);
  if (half.length > 0) return onlyHalf(half);
  const known = SOURCES.map(({ of }) => of).join(', ');
  return refuse('nothing in the environment says which shard this is', `known are ${known}; elsewhere set ${BY_HAND.index} and ${BY_HAND.count}, or write --shard k/n`);
};

/**
 * `--shard auto`.
 * @returns the position and who said it
 * @throws ProblemError `no-shard-position`: none, half of one, two that differ, or one that cannot be
 */
export const positionIn = (environment: Environment): Position & { readonly by: string } => {
  const byHand = read(BY_HAND, environment);
  if (byHand) return { ...byHand, by: `${BY_HAND.index} and ${BY_HAND.count}` };
  // Whoever sets a position means that one: what a CI says beside half of it would be another.
  if (valueOf(environment, BY_HAND.index) !== null) throw onlyHalf(halves(environment, [BY_HAND]));
  const said = SOURCES.flatMap((source) => {
    const position = read(source, environment);
    return position ? [{ ...position, by: source.of }] : [];
  });
  const [first] = said;
  if (!first) throw nothing(environment);
  const other = said.find(({ index, count }) => index !== first.index || count !== first.count);
  if (other) {
    const words = [first, other].map(({ by, index, count }) => `${by} says ${index}/${count}`).join(', ');
    throw refuse(`the environment names two positions: ${words}`, `set ${BY_HAND.index} and ${BY_HAND.count}, which are taken before any other, or write --shard k/n`);
  }
  const total = valueOf(environment, BY_HAND.count);
  if (total !== null && Number(total) !== first.count) throw onlyHalf(halves(environment, [BY_HAND]));
  return first;
};
