// When a run begins nothing more, although there is more to do: it has failed as often as it may, or what was waited for has happened.
import { EXIT, exitCode } from '../model/exit-code.ts';
import type { ScenarioResult } from '../model/exit-code.ts';
import { plural } from '../reports/text.ts';
import type { RunOptions } from './run-options.ts';

/** A violation that is not listed as known, or an error: what broke by itself is no reason to go on either. */
export const isFailure = (result: ScenarioResult, strict: boolean): boolean => {
  const code = exitCode([result], strict);
  return code === EXIT.failed || code === EXIT.error;
};

/**
 * @param results of what has ended so far
 * @param isKept whether one that has failed is still up, and so has no result yet
 * @returns why nothing more is begun, or null; asked before each run
 */
export const createLimits = (
  { maxFailures, untilFailure, strict }: Pick<RunOptions, 'maxFailures' | 'untilFailure' | 'strict'>,
  results: () => readonly ScenarioResult[],
  isKept: () => boolean = () => false,
): (() => string | null) => {
  let seen = 0;
  let failures = 0;
  return () => {
    const all = results();
    for (; seen < all.length; seen += 1) if (isFailure(all[seen]!, strict)) failures += 1;
    const failed = failures + (isKept() ? 1 : 0);
    if (untilFailure && failed > 0) return 'something has failed (--until-failure)';
    return maxFailures !== null && failed >= maxFailures ? `${plural(failed, 'run')} had failed (--max-failures ${maxFailures})` : null;
  };
};
