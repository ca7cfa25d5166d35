// Which version to run next, and how often: what tells most about the culprit for what it costs. Of several
// side by side, each is chosen over all answers that those before it may give.
import type { Forecast } from './information.ts';
import { forecast, highest } from './information.ts';
import type { Settled } from './options.ts';
import type { Posterior } from './posterior.ts';
import { observe } from './posterior.ts';
import type { Testable } from './testable.ts';

export type Probe = {
  readonly version: number;
  /** One after another, on the version that was made ready once; each result may be recorded as it comes. */
  readonly repeats: number;
  readonly why: 'end' | 'search' | 'culprit';
  /** Expected information about the culprit. */
  readonly bits: number;
};

/** One way in which the runs that are not over may end. */
export type Branch = { readonly posterior: Posterior; readonly probability: number };

export type Choice = {
  readonly settled: Settled;
  readonly testable: Testable;
  /** Making it ready costs nothing any more. */
  readonly isPrepared: (version: number) => boolean;
  /** Null: any. */
  readonly only: readonly number[] | null;
  readonly why: Probe['why'];
};

const REPEATS = [1, 2, 3, 5, 8] as const;
/** More ways for runs to end are not looked at: the least likely are left out. */
const BRANCHES = 24;

/** @param version one that is run, so that the answers branch */
export const branchOut = (branches: readonly Branch[], version: number): readonly Branch[] => {
  const all = branches.flatMap(({ posterior, probability }) => {
    const gap = posterior.gaps.findIndex(({ from, to }) => version >= from && version <= to);
    const bad = Math.min(1, Math.max(0, forecast(posterior, 1).bad(version, gap)));
    return [true, false].flatMap((isBad) => {
      const share = probability * (isBad ? bad : 1 - bad);
      return share > 1e-9 ? [{ posterior: observe(posterior, version, isBad), probability: share }] : [];
    });
  });
  const kept = all.sort((a, b) => b.probability - a.probability).slice(0, BRANCHES);
  const sum = kept.reduce((total, { probability }) => total + probability, 0);
  return kept.map(({ posterior, probability }) => ({ posterior, probability: probability / sum }));
};

/** The versions of one gap that can be the best to run. */
const candidatesIn = (from: number, to: number, choice: Choice, bits: (version: number) => number): readonly number[] => {
  const { testable, only } = choice;
  if (only !== null) return only.filter((version) => version >= from && version <= to);
  if (testable.hasUntestable(from, to)) {
    const inside = testable.isClosed(from, to) ? [] : Array.from({ length: to - from - 1 }, (_, index) => from + 1 + index);
    return [from, ...inside, to];
  }
  return [from, highest(from, to, bits), to];
};

/** @returns null when nothing can be run that would tell anything */
export const chooseOne = (branches: readonly Branch[], choice: Choice): Probe | null => {
  const { settled: { costs }, testable, isPrepared, why } = choice;
  let best: Probe | null = null;
  let bestRate = 0;
  for (const repeats of costs.prepare > 0 ? REPEATS : [1]) {
    const forecasts: readonly (readonly [Forecast, number])[] = branches.map(({ posterior, probability }) => [forecast(posterior, repeats), probability]);
    branches[0]!.posterior.gaps.forEach(({ from, to }, gap) => {
      const bitsOf = (version: number): number => forecasts.reduce((sum, [one, probability]) => sum + probability * one.bits(version, gap), 0);
      for (const version of candidatesIn(from, to, choice, bitsOf)) {
        const bits = bitsOf(version) * testable.chance(version);
        const rate = bits / (repeats * costs.run + (isPrepared(version) ? 0 : costs.prepare));
        if (rate > bestRate) {
          bestRate = rate;
          best = { version, repeats, why, bits };
        }
      }
    });
  }
  return best;
};
