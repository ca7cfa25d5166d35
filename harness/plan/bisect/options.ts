// What can be said about a search. All of it is plain data, kept with the results.
import type { Recorded } from './answer.ts';

export type SearchOptions = {
  /** Of the axis, at least 2; version 0 is the good end, the last one the bad end. */
  readonly versions: number;
  /** How likely the culprit must be when the search ends. */
  readonly confidence?: number;
  /** How likely it must be that the ends differ before the search goes inwards. */
  readonly endsConfidence?: number;
  /** Below it a failure rate is not waited for: so many good runs of the bad end that it would have shown with 95 % end the search. */
  readonly smallestRate?: number;
  /** Of making a version ready and of one run of it, in any one unit. */
  readonly costs?: { readonly prepare: number; readonly run: number };
  /** So many runs of a version that only show other symptoms, and it counts as untestable. */
  readonly othersLimit?: number;
  /** So many untestable versions side by side, and what lies between them is not tried. */
  readonly untestableTries?: number;
  readonly maxProbes?: number;
};

export type Settled = Required<SearchOptions>;

/** Can be written down, and fed to `resumeSearch`. */
export type SearchState = { readonly options: SearchOptions; readonly results: readonly Recorded[] };

const isShare = (value: number): boolean => value > 0 && value < 1;

/** @throws RangeError when the search could not mean anything */
export const settle = (options: SearchOptions): Settled => {
  const settled: Settled = {
    confidence: 0.95, endsConfidence: 0.9, smallestRate: 0.03, costs: { prepare: 0, run: 1 }, othersLimit: 3, untestableTries: 8, maxProbes: 5_000, ...options,
  };
  if (!Number.isInteger(settled.versions) || settled.versions < 2) throw new RangeError(`there is nothing between the ends of ${settled.versions} versions`);
  if (!isShare(settled.confidence) || settled.confidence < 0.5) throw new RangeError(`a confidence is from 0.5 to below 1, not ${settled.confidence}`);
  if (!isShare(settled.endsConfidence) || settled.endsConfidence < 0.5) throw new RangeError(`a confidence is from 0.5 to below 1, not ${settled.endsConfidence}`);
  if (!isShare(settled.smallestRate)) throw new RangeError(`a failure rate to be found is between 0 and 1, not ${settled.smallestRate}`);
  if (!(settled.costs.run > 0) || !(settled.costs.prepare >= 0)) throw new RangeError('a run costs more than nothing, making ready not less');
  return settled;
};
