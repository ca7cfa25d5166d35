// The values of one axis of a card: asked of where it has them from.
import { ProblemError } from '../../model/problem.ts';
import type { Card, CardAxis } from '../card.ts';
import { axisOf, ownAxesOf } from './card-at.ts';
import { commitOf, commitsBetween, gitValues, subjectsOfCommits } from './git.ts';
import { imageValues } from './image.ts';
import { mavenValues } from './maven.ts';
import { npmValues } from './npm.ts';
import { pypiValues } from './pypi.ts';
import { everything, noValues } from './source.ts';
import type { AxisContext, AxisInput, AxisSource, AxisValues } from './source.ts';

export type { AxisContext, AxisValues } from './source.ts';

const machines: AxisSource = async (input) => {
  throw noValues(input, `versions from ${input.axis.from} cannot be varied`, 'the machine has the one it has; a version that is named is not installed either');
};

const SOURCES: Readonly<Record<CardAxis['from'], AxisSource>> = {
  npm: npmValues,
  pypi: pypiValues,
  maven: mavenValues,
  git: gitValues,
  image: imageValues,
  list: async ({ axis }) => everything(axis.list),
  apt: machines,
  go: machines,
};

/** What may vary of a card, besides what may of every card. */
export type OfferedAxis = { readonly name: string; readonly axis: CardAxis };

export const axesOf = (card: Pick<Card, 'versions' | 'axes'>): readonly OfferedAxis[] =>
  Object.entries(ownAxesOf(card)).map(([name, axis]) => ({ name, axis }));

const asked = new Map<string, Promise<AxisValues>>();

const askOnce = (input: AxisInput): Promise<AxisValues> => {
  const key = JSON.stringify([input.card.folder, input.name, input.axis]);
  const known = asked.get(key);
  if (known) return known;
  const answer = SOURCES[input.axis.from](input);
  asked.set(key, answer);
  // What failed may be there the next time.
  answer.catch(() => asked.delete(key));
  return answer;
};

/**
 * Every value that is offered, oldest first: without pre-releases and without what was withdrawn. Asked once in a process.
 * @param name `version`, or an axis of the card's own
 * @throws ProblemError `unknown-axis`, `no-package`, `axis-not-read`; the signal's reason when it was aborted
 */
export const valuesOf = async (card: Card, name: string, context: AxisContext): Promise<readonly string[]> =>
  (await allValuesOf(card, name, context)).offered;

/** The same, with those that may only be named. */
export const allValuesOf = async (card: Card, name: string, context: AxisContext): Promise<AxisValues> => {
  const axis = axisOf(card, name);
  const values = await askOnce({ card, name, axis: { ...axis, use: null }, context });
  context.signal?.throwIfAborted();
  if (values.all.length > 0) return values;
  throw noValues({ card, name }, 'there are none', 'look at `versions` or `axes` of the card');
};

/** Commits of a list are what they are; a name may stand for another one tomorrow. */
const COMMIT = /^[0-9a-f]{12,64}$/;

/**
 * What these values stand for now, where they are names in a git repository.
 * @returns null where the axis has other values; of one that the repository does not have, null
 * @throws ProblemError `axis-not-read`; the signal's reason when it was aborted
 */
export const commitsOf = async (card: Card, name: string, values: readonly string[], context: AxisContext): Promise<readonly (string | null)[] | null> => {
  const axis = axisOf(card, name);
  if (axis.from !== 'git') return null;
  const found: (string | null)[] = [];
  for (const value of values) {
    const commit = COMMIT.test(value) ? value : await commitOf({ card, name, axis, context }, value).catch((error: unknown) => {
      if (error instanceof ProblemError && error.problems.some(({ code }) => code === 'unknown-revision')) return null;
      throw error;
    });
    found.push(commit);
  }
  return found;
};

/**
 * What people call these values, beside what they are: subjects of commits.
 * @param commits what `commitsOf` said of them
 * @returns in their order; '' where there is nothing to be said
 */
export const subjectsOf = async (card: Card, name: string, commits: readonly (string | null)[], context: AxisContext): Promise<readonly string[]> => {
  const known = commits.filter((commit) => commit !== null);
  const subjects = await subjectsOfCommits({ card, name, axis: axisOf(card, name), context }, known);
  return commits.map((commit) => (commit === null ? '' : subjects[known.indexOf(commit)]!));
};

/**
 * What lies between two values, both included, where the source itself knows that better than its list: commits.
 * @returns null where the list of all values says it
 * @throws ProblemError `bad-range`, `unknown-revision`, `axis-not-read`
 */
export const valuesBetween = async (card: Card, name: string, from: string, to: string, context: AxisContext): Promise<readonly string[] | null> => {
  const axis = axisOf(card, name);
  return axis.from === 'git' && axis.tags === null ? commitsBetween({ card, name, axis, context }, from, to) : null;
};
