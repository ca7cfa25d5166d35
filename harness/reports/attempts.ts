// Attempts of the same scenario beside each other. Nothing is retried: a scenario that failed and passed is
// told as flaky, and stays failed.
import type { ScenarioOutcome } from '../model/verdict.ts';

export type Attempt = { readonly scenario: string; readonly attempt: number; readonly outcome: ScenarioOutcome };

export type Flaky = { readonly scenario: string; /** Of every attempt, in order. */ readonly outcomes: readonly ScenarioOutcome[] };

/** Scenarios of which some attempt passed after another had failed, or failed after another had passed. */
export const flakyOf = (attempts: readonly Attempt[]): readonly Flaky[] =>
  [...Map.groupBy(attempts, ({ scenario }) => scenario)].flatMap(([scenario, all]) => {
    const outcomes = all.toSorted((a, b) => a.attempt - b.attempt).map(({ outcome }) => outcome);
    return outcomes.includes('passed') && outcomes.includes('failed') ? [{ scenario, outcomes }] : [];
  });
