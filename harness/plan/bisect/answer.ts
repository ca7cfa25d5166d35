// What one run of one version says to the search, and the search's whole state: plain data that can be
// written down and fed again.

/** `other` is a run that is valid and shows another symptom: it is evidence neither for nor against. */
export type Answer = 'good' | 'bad' | 'untestable' | 'other';

/** One run. `version` is an index: 0 is the good end, `versions - 1` the bad one. */
export type Recorded = { readonly version: number; readonly answer: Answer };

export type Counts = { readonly version: number; readonly good: number; readonly bad: number; readonly other: number; readonly untestable: number };

/** @returns what was recorded of each version, in the order of the axis */
export const countsOf = (results: readonly Recorded[]): readonly Counts[] => {
  const known = new Map<number, Record<Answer, number>>();
  for (const { version, answer } of results) {
    const counts = known.get(version) ?? { good: 0, bad: 0, other: 0, untestable: 0 };
    counts[answer] += 1;
    known.set(version, counts);
  }
  return [...known].map(([version, counts]) => ({ version, ...counts })).sort((a, b) => a.version - b.version);
};

/** Of one version; zeros where nothing is known. */
export const countsAt = (counts: readonly Counts[], version: number): Counts =>
  counts.find((one) => one.version === version) ?? { version, good: 0, bad: 0, other: 0, untestable: 0 };
