// A search for the version that broke something as plain data: what its live page, its line on the terminal and its report are made of.

/** What one place has come to so far. */
export type Standing = {
  readonly good: number;
  readonly bad: number;
  /** Runs that showed another symptom, or allowed no verdict. */
  readonly other: number;
  readonly unclear: number;
  /** Why it cannot be tested; null: it can, or nobody has tried. */
  readonly untestable: string | null;
};

/** A search from a newer good end to an older bad one is after the last bad value and the first good one. */
export type Role = 'good end' | 'bad end' | 'last good' | 'first bad' | 'first good' | 'last bad' | 'possible';

/** What the two values are called between which the fault begins, or was put right. */
export const borderRoles = (isBackwards: boolean): { readonly good: Role; readonly bad: Role } =>
  isBackwards ? { good: 'first good', bad: 'last bad' } : { good: 'last good', bad: 'first bad' };

/** What is asked, in words for a title. */
export const askedWords = ({ isBackwards }: Pick<BisectView, 'isBackwards'>): string => `which version ${isBackwards ? 'put it right' : 'broke it'}`;

export type VersionStanding = Standing & {
  readonly value: string;
  /** What people call it: the subject of a commit; '' for others. */
  readonly about: string;
  /** How likely the fault begins here, 0 to 1; null where that is not reckoned. */
  readonly likely: number | null;
  readonly role: Role | null;
};

export type ProbeRow = {
  readonly number: number;
  readonly at: string;
  readonly about: string;
  readonly answer: string;
  readonly why: string;
  /** Page of its bundle, as a path from the page's folder; null: none. */
  readonly page: string | null;
  readonly tookMs: number;
  readonly endedAt: string;
};

/** One ordered axis that is or was searched. */
export type LineView = {
  readonly axis: string;
  readonly versions: readonly VersionStanding[];
  /** The border is behind the first of these, at the second at the latest, as surely as was asked for. */
  readonly range: { readonly from: number; readonly to: number };
};

/** Two axes: only rows and columns of which something was run. */
export type GridView = {
  readonly axes: readonly [string, string];
  readonly columns: readonly string[];
  readonly rows: readonly { readonly value: string; readonly cells: readonly Standing[] }[];
};

export type Neighbour = {
  readonly role: Role | 'good beside it' | 'bad pair';
  readonly at: string;
  readonly about: string;
  /** Runs of it that were good or bad. */
  readonly runs: number;
  readonly bad: number;
  /** Folder of one bundle that shows it, from the search's folder; null: none. */
  readonly evidence: string | null;
};

/** What came of it. `word` is for programs, `sentence` for people. */
export type BisectResult = {
  readonly word: 'found' | 'range' | 'no-difference' | 'no-good' | 'contradiction' | 'unverified' | 'budget';
  readonly sentence: string;
  /** The first bad one, backwards the last, by axis; null where it is not known. */
  readonly culprit: Readonly<Record<string, string>> | null;
  /** Where it lies if it is not one: all values of which any may be it; of two axes pairs, as `a=1, b=2`. */
  readonly possible: readonly string[];
  /** Why those between the nearest good and the nearest bad one could not be told apart. */
  readonly width: readonly { readonly value: string; readonly why: string }[];
  /** 0 to 1; null where nothing was reckoned. */
  readonly confidence: number | null;
  /** Estimated share of runs that show the symptom, before and from the culprit on. */
  readonly rates: { readonly good: number; readonly bad: number } | null;
  /** Of a pair the first is compared: the other one is one back on the other axis. */
  readonly good: Neighbour | null;
  readonly alsoGood: readonly Neighbour[];
  readonly bad: Neighbour | null;
};

export type BisectView = {
  readonly scenario: string;
  readonly system: string;
  readonly runtime: string;
  /** One axis, of which the good end is the newer one: what is looked for is where it was put right. */
  readonly isBackwards: boolean;
  readonly from: string;
  readonly to: string;
  /** What is being done, in words. */
  readonly phase: string;
  /** What is looked for; null: not yet known. */
  readonly symptom: { readonly words: string; readonly fingerprint: string } | null;
  readonly wantedConfidence: number;
  readonly probes: readonly ProbeRow[];
  readonly running: readonly { readonly at: string; readonly phase: string }[];
  readonly line: LineView | null;
  readonly grid: GridView | null;
  readonly maxProbes: number | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly result: BisectResult | null;
  /** What goes on with it, or looks at it closer. */
  readonly commands: readonly { readonly what: string; readonly command: string }[];
};

/** `71 %`; never 100 where it is not certain. */
export const percent = (share: number): string => {
  const tenths = Math.floor(share * 1000) / 10;
  return share >= 1 ? '100 %' : `${tenths >= 99 || tenths < 10 ? tenths.toFixed(1) : Math.round(share * 100)} %`;
};

/** `version=1a2b3c4d5e6f (close the upstream)`. */
export const withAbout = (text: string, about: string): string => (about === '' ? text : `${text} (${about})`);

/** Values any of which may be the first bad one, backwards the last. */
export const openValues = ({ versions, range }: LineView): readonly VersionStanding[] => versions.slice(range.from + 1, range.to + 1);
