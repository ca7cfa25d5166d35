// What a measure is: some work of ours beside the same work done plainly, both in one run. A machine's
// speed is nobody's business here, so what is compared with an aim is a ratio.
import { median } from '../model/median.ts';

/** `isMet` null: not measured here, `measured` says why. */
export type Result = {
  readonly measured: string;
  readonly isMet: boolean | null;
  /** What of the aim is not known, as `beside varnishtest` where that peer was not there. */
  readonly unmeasured?: string;
};

export type Measure = {
  /** For `--only`. */
  readonly name: string;
  readonly work: string;
  readonly beside: string;
  readonly aim: string;
  /** It takes too long to be among all. */
  readonly onlyWhenNamed?: boolean;
  /** @throws Error when it cannot be measured although it should be */
  readonly run: () => Promise<Result>;
};

/** @param share 0.5 is the median */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** The median, and how far the middle half of the values reaches: `1.02 (0.98 to 1.07)`. */
export const spread = (values: readonly number[], digits = 2): string =>
  `${median(values).toFixed(digits)} (${quantile(values, 0.25).toFixed(digits)} to ${quantile(values, 0.75).toFixed(digits)})`;

/** Does both in turn, each first in every second round, so that neither has the quieter half of the time. */
export const interleave = async <T>(rounds: number, ours: () => Promise<T>, theirs: () => Promise<T>): Promise<readonly { readonly ours: T; readonly theirs: T }[]> => {
  const pairs: { ours: T; theirs: T }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await ours();
      pairs.push({ ours: first, theirs: await theirs() });
    } else {
      const first = await theirs();
      pairs.push({ ours: await ours(), theirs: first });
    }
  }
  return pairs;
};

/** @throws Error saying what was awaited */
export const within = async <T>(work: Promise<T>, limitMs: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
