// Tags that are moved on with every release, `v1` and `1.2`: today they stand for one that has a tag of its own. As versions beside that
// one they would be judged at the place of their numbers, where they are not: before `1.2.0`, being 1.2.9.
import type { CardAxis } from '../card.ts';
import { saysLess as saysLessOfGit } from './compare.ts';
import { saysLess as saysLessOfImage } from './image-variants.ts';

/** A tag, and what it stands for: a commit, an image. */
export type Tag = { readonly name: string; readonly of: string };

const SAYS_LESS: Readonly<Partial<Record<CardAxis['from'], (tag: string, other: string) => boolean>>> = { git: saysLessOfGit, image: saysLessOfImage };

/** Of those that say the same in full, the one that says the most. */
const fullest = (tags: readonly string[], saysLess: (tag: string, other: string) => boolean): string | undefined =>
  tags.filter((tag) => !tags.some((other) => saysLess(tag, other))).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];

/** @returns by each tag that is moved on: the one that it stands for now */
export const movingTags = (from: CardAxis['from'], tags: readonly Tag[]): ReadonlyMap<string, string> => {
  const saysLess = SAYS_LESS[from] ?? ((): boolean => false);
  const found = new Map<string, string>();
  for (const same of Map.groupBy(tags, ({ of }) => of).values()) {
    for (const { name } of same) {
      const full = fullest(same.map((one) => one.name).filter((other) => saysLess(name, other)), saysLess);
      if (full !== undefined) found.set(name, full);
    }
  }
  return found;
};

/** Which of them are left out; '' for none. */
export const toldOfMoving = (axis: string, moving: ReadonlyMap<string, string>): string => {
  const words = [...moving].map(([tag, full]) => `${tag} (now ${full})`).sort();
  return words.length === 0 ? '' : `${axis}: left out as moved on with each release: ${words.join(', ')}`;
};
