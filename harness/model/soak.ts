// What a night of soaking comes to, as plain data: what `soak.json` holds and what its pages are made from.
import type { ScenarioOutcome } from './verdict.ts';

/** What is read again and again. `heap` is what objects still hold after a full collection; `lag` is of a loop, or the wait for a processor. */
export type MeasureName = 'memory' | 'heap' | 'fds' | 'sockets' | 'reserved' | 'lag';

/** As what a run is kept, what says least first: as the exit code counts it; `known`: only what its card lists is violated. */
export const WORTHS = ['passed', 'known', 'error', 'inconclusive', 'failed'] as const;
export type Worth = (typeof WORTHS)[number];

export type TrendPoint = { readonly at: number; readonly value: number };

export type Trend = {
  /** Whose: `hangup`, or the card's name. */
  readonly of: string;
  /** In which setting it was read: one process all night, one system driven again and again, or a fresh one each run. */
  readonly how: string;
  readonly measure: MeasureName;
  readonly outcome: 'flat' | 'grows' | 'cannot-tell';
  /** One line with the numbers. */
  readonly why: string;
  /** Growth for each hour, and the interval that holds it; null where there were too few readings. */
  readonly perHour: { readonly slope: number; readonly low: number; readonly high: number } | null;
  /** How likely so much growth would be by chance, made up for all the questions asked this night. */
  readonly p: number | null;
  readonly readings: number;
  /** For a picture: `at` in ms since the beginning. What was left out as warming up comes before `fromMs`. */
  readonly points: readonly TrendPoint[];
  readonly fromMs: number;
};

export type Share = { readonly low: number; readonly high: number };

/** What went wrong in a scenario, by its fingerprint. */
export type SoakSymptom = {
  readonly words: string;
  readonly fingerprint: string;
  readonly outcome: 'violated' | 'inconclusive' | 'error';
  readonly count: number;
  /** The night in which it was seen first; this one's name: it is new. */
  readonly since: string;
  readonly isNew: boolean;
  /** Where it can be seen, below the folder of the night; null: nothing of it is kept any more. */
  readonly bundle: string | null;
  /** What that takes on the disk; null: there is none. */
  readonly bundleBytes: number | null;
};

export type SoakCell = {
  readonly cell: string;
  readonly runs: number;
  readonly outcomes: Readonly<Partial<Record<ScenarioOutcome, number>>>;
  /** Of what was judged, the share that did not pass, known violations apart; with its 95 % interval. */
  readonly notPassed: { readonly count: number; readonly of: number } & Share;
  /** The same in all earlier nights; null where there are none. */
  readonly before: ({ readonly count: number; readonly of: number; readonly nights: number } & Share) | null;
  /** Whether that is more than chance, with all scenarios of the night taken together. */
  readonly change: 'more often' | 'less often' | null;
  /** Of what was judged, how often nothing was violated but what its card lists as known. */
  readonly known: number;
  /** Claims that its card lists as known and that held each time. */
  readonly fixed: readonly string[];
  readonly medianMs: number | null;
  readonly medianBeforeMs: number | null;
  readonly symptoms: readonly SoakSymptom[];
  /** Symptoms of the last night that ran it that were not seen this time, in words. */
  readonly gone: readonly string[];
  /** Bundles below the folder of the night: the first, the last, and what was not as it should be. */
  readonly kept: readonly { readonly folder: string; readonly outcome: ScenarioOutcome; readonly worth: Worth; readonly because: string }[];
};

/** `what` is what bundles were worth, or `pages`: of so many earlier nights. */
export type SoakRemoved = { readonly what: string; readonly count: number; readonly bytes: number };

export type SoakNight = {
  readonly format: 1;
  readonly night: string;
  readonly startedAt: string;
  readonly budgetMs: number;
  readonly tookMs: number;
  readonly seed: number;
  readonly runtime: string;
  readonly why: string;
  readonly version: string;
  readonly jobs: number | null;
  /** Why it ended before its time; null where it did not. */
  readonly endedEarly: string | null;
  readonly rounds: number;
  readonly runs: number;
  readonly cells: readonly SoakCell[];
  /** Scenarios of which no run was ended by itself: none was begun, or the only ones were cut when the night was told to stop. */
  readonly notReached: readonly string[];
  readonly doesNotApply: readonly string[];
  readonly trends: readonly Trend[];
  /** Why no system was driven for long, or which of them were not asked about; null: neither. */
  readonly noLife: string | null;
  readonly outages: readonly { readonly atMs: number; readonly forMs: number; readonly why: string }[];
  /** For all nights of the folder, everything that is in it. */
  readonly disk: { readonly limitBytes: number; readonly keptBytes: number; readonly largestBytes: number; readonly removed: readonly SoakRemoved[] };
  /** How many nights the history holds, and what of it could not be read. */
  readonly history: { readonly nights: number; readonly note: string | null };
  readonly exitCode: number;
};
