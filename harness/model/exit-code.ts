// One number for a whole invocation. It is what CI, `git bisect` and scripts see, so its order is a
// contract: what the user got wrong, then the interruption, then what was found, then what was not.
import type { Problem } from './problem.ts';
import type { ScenarioOutcome } from './verdict.ts';

export const EXIT = { passed: 0, failed: 1, inconclusive: 2, error: 3, usage: 4, nothing: 5, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The first of these that occurred is the exit code. */
const ORDER: readonly ExitCode[] = [EXIT.usage, EXIT.interrupted, EXIT.failed, EXIT.error, EXIT.inconclusive, EXIT.passed];

const CODES: Readonly<Record<ScenarioOutcome, ExitCode>> = {
  passed: EXIT.passed,
  failed: EXIT.failed,
  inconclusive: EXIT.inconclusive,
  error: EXIT.error,
  interrupted: EXIT.interrupted,
  untestable: EXIT.inconclusive,
  'does-not-apply': EXIT.nothing,
};

export type ScenarioResult = {
  readonly outcome: ScenarioOutcome;
  /** The outcome without the violations that the card lists as known; absent where it lists none. */
  readonly beyondKnown?: ScenarioOutcome;
  /** Some claim is `known`, or was known and is violated no more. */
  readonly hasListed?: boolean;
};

const codeOf = (result: ScenarioResult, strict: boolean): ExitCode => {
  if (strict && result.hasListed) return CODES[result.outcome] === EXIT.passed ? EXIT.failed : CODES[result.outcome];
  const beyond = CODES[result.beyondKnown ?? result.outcome];
  // A scenario of which only known violations are left has applied, and is counted as passed.
  return beyond === EXIT.nothing && result.outcome === 'failed' ? EXIT.passed : beyond;
};

/**
 * @param results one per scenario run; empty: nothing matched
 * @param strict known and fixed violations count as failures
 */
export const exitCode = (results: readonly ScenarioResult[], strict = false): ExitCode => {
  const codes = new Set(results.map((result) => codeOf(result, strict)));
  return ORDER.find((code) => codes.has(code)) ?? EXIT.nothing;
};

/** Of several invocations that are told as one; a code that is none of ours counts as an error. */
export const worstCode = (codes: readonly number[]): ExitCode => {
  const known = new Set(codes.map((code) => [...ORDER, EXIT.nothing].find((one) => one === code) ?? EXIT.error));
  return ORDER.find((code) => known.has(code)) ?? EXIT.nothing;
};

/** What stops a run before it has results: the user's files or arguments 4, everything else 3. */
export const exitCodeOf = (problems: readonly Pick<Problem, 'family'>[]): ExitCode =>
  problems.some((problem) => problem.family === 'scenario') ? EXIT.usage : EXIT.error;
