// What a search asks: which scenario, on which system, along which axes, from where to where. Answers of one question are no answers
// of another, so a search that is taken up again must find every part of it as it was.
import type { CardFiles } from '../card-files.ts';

/** One ordered axis: its values from the good end to the bad end, both included. */
export type SearchAxis = {
  readonly axis: string;
  readonly values: readonly string[];
  /** The good end is the newer one: what is looked for is where it was put right. */
  readonly isBackwards?: boolean;
};

export type Question = {
  /** Id of the cell, without its place on the axes. */
  readonly scenario: string;
  /** SHA-256 of the scenario's text with its fragments, and of the card's. */
  readonly scenarioHash: string;
  readonly card: string;
  readonly cardHash: string;
  /** What lies beside the card and is named by it. */
  readonly cardFiles: CardFiles;
  /** What the card's axes that are names in a git repository stand for, in the order of their values; null: nothing. */
  readonly commits: Readonly<Record<string, readonly (string | null)[]>>;
  /** What the names of images stand for that the card runs and does not build, at every place; null: nothing. */
  readonly images: Readonly<Record<string, string | null>>;
  /** Version and commit: another one may run it otherwise. */
  readonly hangup: string;
  /** Of `JUDGE_VERSION`. */
  readonly judge: number;
  readonly runtime: string;
  /** Without secrets, as the symptom is. */
  readonly defects: readonly string[];
  /** For people, without secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** SHA-256 of them as they were given. */
  readonly variablesHash: string;
  /** One, or two for a pair. */
  readonly axes: readonly SearchAxis[];
  /** The first value was not said to be good: a good one is looked for, and what it lacks may be another symptom. */
  readonly findGood: boolean;
  /** A claim or a fingerprint, also where a bundle was named; null: what the bad end shows and the good end does not. */
  readonly symptom: string | null;
  /** As it was given, without secrets: a bundle may be another one by now, or gone. */
  readonly symptomFrom: string | null;
};

type Part = readonly [key: keyof Question, what: string];

const PARTS: readonly Part[] = [
  ['scenario', 'the scenario'],
  ['scenarioHash', "the scenario's text"],
  ['card', 'the card'],
  ['cardHash', "the card's text"],
  ['cardFiles', 'a file beside the card'],
  ['hangup', 'hangup itself'],
  ['judge', 'the judge'],
  ['runtime', 'the runtime'],
  ['defects', 'the planted defects'],
  ['variablesHash', 'a variable'],
  ['axes', 'an axis, or the values on it'],
  ['findGood', 'whether the good end is named or looked for'],
  ['commits', 'the commit that a name stands for'],
  ['images', 'the image that a tag stands for'],
  ['symptom', 'the symptom that is looked for'],
];

const text = (value: unknown): string => JSON.stringify(value);

/** Tags that have moved; as many as help. */
const movedImages = ({ images: before }: Question, { images: now }: Question): readonly string[] =>
  Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]).slice(0, 3);

type Differing = { readonly key: keyof Question; readonly path: readonly string[]; readonly what: string };

/** What two questions do not have in common: where it stands, and what it is for people. */
export const differingParts = (a: Question, b: Question): readonly Differing[] =>
  PARTS.filter(([key]) => text(a[key]) !== text(b[key])).map(([key, what]) => {
    const moved = key === 'images' ? movedImages(a, b) : [];
    return moved.length === 0 ? { key, path: [key], what } : { key, path: [key, moved[0]!], what: `what ${moved.join(', ')} stands for` };
  });
