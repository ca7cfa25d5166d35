// The contract of a reporter: it is told what happens while it happens, and writes what it makes of it.
// It sees summaries and nothing live, so that every reporter says the same. Where its text goes, to standard output or
// into its file or both, is not its concern; secrets are gone before it is told anything.
import type { Definition } from '../model/registry.ts';
import type { PhaseName } from '../model/observation.ts';
import type { Flaky } from './attempts.ts';
import type { ScenarioSummary } from './summary.ts';

export type ReportOutput = {
  readonly write: (text: string) => void;
  /** Lines can be rewritten. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly hasColour: boolean;
};

/** Where hangup was called: for paths that others resolve, and for services that say by variables what they want. */
export type ReportPlace = {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type RunStart = {
  readonly scenarios: readonly string[];
  readonly runtime: string;
  /** Why this runtime, in one line. */
  readonly why: string;
  /** Known and fixed violations count as failures. */
  readonly strict?: boolean;
  /** ISO 8601 in UTC. */
  readonly startedAt?: string;
  /** Of hangup. */
  readonly version?: string;
  /** From which order and times were drawn, as `--seed` takes it. */
  readonly seed?: number;
};

/** What was to be run, and was not begun any more. */
export type NotRun = {
  /** As it would be shown: the cell, and which attempt of it where there are several. */
  readonly scenario: string;
  /** In one line. */
  readonly why: string;
};

export type RunEnd = {
  readonly summaries: readonly ScenarioSummary[];
  /** Scenarios whose attempts differ; absent where nothing was repeated. */
  readonly flaky?: readonly Flaky[];
  /** Absent: everything was. */
  readonly notRun?: readonly NotRun[];
  /** Further attempts until something fails that were not begun, which nobody misses; absent: there were none. */
  readonly notNeeded?: readonly { readonly why: string; readonly count: number }[];
  readonly exitCode: number;
  readonly tookMs: number;
  /** The folder that holds all bundles of this invocation. */
  readonly folder: string | null;
  /** What was told at the beginning; absent where one bundle is shown. */
  readonly start?: RunStart;
};

export type Reporter = {
  readonly begin?: (start: RunStart) => void;
  readonly phase?: (scenario: string, phase: PhaseName) => void;
  readonly finish?: (summary: ScenarioSummary) => void;
  /** What was shown as running (a control) has ended without an outcome of its own. */
  readonly over?: (scenario: string) => void;
  readonly end: (end: RunEnd) => void | Promise<void>;
};

export type ReporterDefinition = Definition & {
  /** Its text is written into the folder of the bundles, under this name; absent: it has no file. */
  readonly file?: string;
  /**
   * Standard output has room for one: the first that was asked for and prints (the default). `always` is for what works there only,
   * `never` for what nobody reads there.
   */
  readonly prints?: 'when-first' | 'always' | 'never';
  readonly open: (output: ReportOutput, place?: ReportPlace) => Reporter;
};

/** Colours where the output is a terminal, unless NO_COLOR forbids or FORCE_COLOR asks (no-color.org). */
export const wantsColour = (isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean => {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
};
