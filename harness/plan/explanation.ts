// What can be said of a run before it is started, as data: how long each phase may take and why, what is
// done at which mark, how fast each probe must be, and what each claim waits for.
import type { Explained } from '../expectations/expectation.ts';

/** Who decided a number: the scenario's file, the system's card, or the harness. */
export type DecidedBy = 'scenario' | 'card' | 'harness';

export type PhaseLength = {
  readonly phase: string;
  /** As it is planned to be; null: as long as it takes, up to the limit. */
  readonly plannedMs: number | null;
  readonly atMostMs: number;
  /** When it is over at the latest, ms after the run began. */
  readonly overByMs: number;
  readonly from: DecidedBy;
  /** Where the length comes from, or why the phase is left out. */
  readonly why: string;
};

/** An act of a script or a fault, in the order of the script. */
export type Act = {
  /** `client alice`, `fault`. */
  readonly who: string;
  readonly act: string;
  /** For faults: when they are done. */
  readonly when: string | null;
  /** The mark that it sets. */
  readonly mark: string | null;
  /** How long it waits at most, ms; null: it waits for nothing. */
  readonly atMostMs: number | null;
};

/** A moment that claims count from, with who sets it and what happens then. */
export type MarkUse = {
  readonly mark: string;
  readonly setBy: string;
  /** At the latest, ms after the scripts began; null: it depends on what a fault waits for. */
  readonly byMs: number | null;
  readonly then: readonly string[];
};

export type ProbeSpeed = {
  readonly probe: string;
  readonly everyMs: number;
  /** The longest gap that its claims allow, and what says so; null: nothing depends on it here. */
  readonly limitMs: number | null;
  readonly because: string;
  readonly isFastEnough: boolean;
};

export type ExplainedClaim = {
  readonly id: string;
  readonly as: string | null;
  /** Why it does not apply; null: it does. */
  readonly notApplicable: string | null;
  /** Listed in the card as known to be violated. */
  readonly isKnown: boolean;
  /** Planted defects of this run that must violate it. */
  readonly caughtBy: readonly string[];
  /** When it is decided at the latest; null: at the end of the record. */
  readonly deadline: {
    readonly ms: number;
    readonly words: string;
    readonly from: DecidedBy;
    /** The same in ms after the scripts began, at the latest; null where that is not known before. */
    readonly byMs: number | null;
  } | null;
  readonly usesControl: boolean;
} & Partial<Explained>;

export type SetValue = { readonly name: string; readonly value: string; readonly from: DecidedBy; readonly why: string };

/** An axis of its system: where it stands on it, and where its values come from. */
export type ExplainedAxis = { readonly axis: string; readonly value: string | null; readonly from: string };

export type Explanation = {
  readonly scenario: string;
  readonly axes: readonly ExplainedAxis[];
  readonly name: string;
  readonly about: string;
  readonly system: string;
  readonly runtime: string;
  readonly defects: readonly string[];
  /** Every instance of the system, the first first. `clockAheadMs`: of its wall clock. */
  readonly instances: readonly { readonly process: string; readonly clockAheadMs: number; readonly clients: readonly string[] }[];
  /** Why nothing of it can be shown here, or null. */
  readonly notApplicable: string | null;
  readonly phases: readonly PhaseLength[];
  /** What is planned as a length of its own, and all limits, added up, ms. */
  readonly total: { readonly plannedMs: number; readonly atMostMs: number };
  readonly acts: readonly Act[];
  readonly marks: readonly MarkUse[];
  readonly probes: readonly ProbeSpeed[];
  readonly claims: readonly ExplainedClaim[];
  readonly control: { readonly staysMs: number | null; readonly why: string };
  readonly periods: readonly SetValue[];
  readonly bounds: readonly SetValue[];
  readonly settings: readonly SetValue[];
};
