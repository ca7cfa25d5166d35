// The contract of a reporter: it is told what happens while it happens, and writes what it makes of it.
// It sees summaries and nothing live, so that every reporter says the same.
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

export type RunStart = {
  readonly scenarios: readonly string[];
  readonly runtime: string;
  /** Why this runtime, in one line. */
  readonly why: string;
};

export type RunEnd = {
  readonly summaries: readonly ScenarioSummary[];
  /** Scenarios whose attempts differ; absent where nothing was repeated. */
  readonly flaky?: readonly Flaky[];
  readonly exitCode: number;
  readonly tookMs: number;
  /** The folder that holds all bundles of this invocation. */
  readonly folder: string | null;
};

export type Reporter = {
  readonly begin?: (start: RunStart) => void;
  readonly phase?: (scenario: string, phase: PhaseName) => void;
  readonly finish?: (summary: ScenarioSummary) => void;
  /** What was shown as running (a control) has ended without an outcome of its own. */
  readonly over?: (scenario: string) => void;
  readonly end: (end: RunEnd) => void;
};

export type ReporterDefinition = Definition & { readonly open: (output: ReportOutput) => Reporter };

/** Colours where the output is a terminal, unless NO_COLOR forbids or FORCE_COLOR asks (no-color.org). */
export const wantsColour = (isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean => {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
};
