// The committed bundles: one of each kind of verdict, what it is made by, and what `hangup judge` must say of it.
import type { ScenarioOutcome } from '../../model/verdict.ts';

export type Golden = {
  /** Its folder in evidence/golden. */
  readonly name: string;
  /** In this folder. */
  readonly scenario: string;
  readonly options: readonly string[];
  /** Ended by this signal once it watches; null: it comes to its end. */
  readonly signal: 'SIGINT' | 'SIGKILL' | null;
  readonly outcome: ScenarioOutcome;
  /** Of `hangup judge`. */
  readonly exitCode: number;
  /** What people are shown. */
  readonly shown: string;
};

const golden = (name: string, outcome: ScenarioOutcome, exitCode: number, more: Partial<Golden> = {}): Golden => ({
  name, outcome, exitCode, scenario: `${name}.yaml`, options: [], signal: null, shown: outcome, ...more,
});

/** What does not apply is not run, so that there is no bundle of that kind. */
export const GOLDENS: readonly Golden[] = [
  golden('passed', 'passed', 0, { scenario: 'leaves.yaml' }),
  golden('failed', 'failed', 1, { scenario: 'leaves.yaml', options: ['--defect', 'ignores-disconnect'] }),
  golden('inconclusive', 'inconclusive', 2),
  golden('rightly-inconclusive', 'inconclusive', 0, { shown: 'rightly inconclusive' }),
  golden('known', 'failed', 0, { shown: 'known' }),
  golden('fixed', 'passed', 0),
  golden('error', 'error', 3),
  golden('interrupted', 'interrupted', 130, { signal: 'SIGINT' }),
  golden('cut-off', 'error', 3, { scenario: 'interrupted.yaml', signal: 'SIGKILL' }),
];

/**
 * A bundle as the first version wrote it, never made anew: what every later version must go on reading. Its name says the
 * format; when that is raised, one of the format before is kept beside it.
 */
export const OLD: readonly (Pick<Golden, 'name' | 'outcome' | 'exitCode'> & { readonly format: number })[] = [
  { name: 'format-1-passed', format: 1, outcome: 'passed', exitCode: 0 },
];
