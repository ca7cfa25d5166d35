// When a run begins nothing more, although there is more to do: it has failed as often as it may, or what was waited for has happened.
import { EXIT, exitCode } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import { plural } from '../reports/text.ts';
import type { Keeper } from './keep.ts';
import type { RunOptions } from './run-options.ts';

/** A violation that is not listed as known, or an error: what broke by itself is no reason to go on either. */
export const isFailure = (result: ScenarioResult, strict: boolean): boolean => {
  const code = exitCode([result], strict);
  return code === EXIT.failed || code === EXIT.error;
};

export type Limits = {
  /** Why nothing more is begun, or null; asked before each run. */
  readonly whyNoMore: () => string | null;
  /** While one is kept whose result may be the last that is allowed, nobody knows: the others wait for it, and are not refused. */
  readonly holdBack: () => Promise<void>;
};

/**
 * @param results of what has ended so far
 * @param keeper null: none is kept
 */
export const createLimits = (
  { maxFailures, untilFailure, strict }: Pick<RunOptions, 'maxFailures' | 'untilFailure' | 'strict'>,
  results: () => readonly ScenarioResult[],
  keeper: Pick<Keeper, 'isUp' | 'untilEnded'> | null = null,
): Limits => {
  let seen = 0;
  let failures = 0;
  const failed = (): number => {
    const all = results();
    for (; seen < all.length; seen += 1) if (isFailure(all[seen]!, strict)) failures += 1;
    return failures;
  };
  const most = Math.min(maxFailures ?? Number.POSITIVE_INFINITY, untilFailure ? 1 : Number.POSITIVE_INFINITY);
  return {
    whyNoMore: () => {
      if (failed() < most) return null;
      return untilFailure ? 'something has failed (--until-failure)' : `${plural(failures, 'run')} had failed (--max-failures ${maxFailures})`;
    },
    holdBack: async () => {
      if (keeper?.isUp() && failed() < most && failed() + 1 >= most) await keeper.untilEnded();
    },
  };
};

/** Of what was never begun nothing is known: without it a run has not passed. */
export const codeWithout = (notRun: number, code: number): number =>
  notRun > 0 && (code === EXIT.passed || code === EXIT.nothing) ? EXIT.inconclusive : code;
