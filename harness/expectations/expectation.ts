// The contract of a claim: a pure function from a sealed timeline to a finding. Nothing in this
// folder can reach a socket, a file or a clock, so that a bundle judged later says the same.
import type { Options } from '../model/fields.ts';
import type { Facts } from '../model/facts.ts';
import type { Definition } from '../model/registry.ts';
import type { Timeline } from '../model/timeline.ts';
import type { Finding } from '../model/verdict.ts';

export type JudgeInput = {
  readonly timeline: Timeline;
  /** The same cell with a client that stays; null where none was run. */
  readonly control: Timeline | null;
  readonly facts: Facts;
  readonly options: Options;
};

/**
 * What a claim comes to in one cell, in words for people, before anything is started: `hangup explain` prints it.
 * Each entry is a line without a full stop; limits are written out (`formatMs`), periods and bounds by their values.
 */
export type Explained = {
  /** What must have been seen before absence counts, and by when. */
  readonly needs: readonly string[];
  readonly violatedIf: readonly string[];
  readonly inconclusiveIf: readonly string[];
};

export type ExpectationDefinition = Definition & {
  /** True for claims of the form "closed because of the leave": a control is run for them. */
  readonly usesControl?: boolean;
  /** True for claims that say where bytes went: the process probe then adds up the files that the system holds open. */
  readonly looksAtFiles?: boolean;
  /** True for claims about clients and upstreams alone, which can be made where there is no system. */
  readonly withoutSystem?: boolean;
  /** Why the claim cannot be shown by this system or runtime (`no ledger`), or null. Decided before the run. */
  readonly notApplicable: (facts: Facts, options: Options) => string | null;
  /** Pure; asked only where the claim applies. Every registered expectation has one: registry conformance holds it. */
  readonly explain?: (facts: Facts, options: Options) => Explained;
  /** What the claim still waits for; null when it is decided or can only be decided by the watch. Settling asks. */
  readonly pending?: (input: Omit<JudgeInput, 'control'>) => string | null;
  readonly judge: (input: JudgeInput) => Finding;
};
