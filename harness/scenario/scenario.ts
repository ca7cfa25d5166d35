// What a scenario file becomes: validated, expanded over its matrix, frozen data. No functions in
// it. Durations are still as written (`3 renewals`); systems/resolve.ts makes them milliseconds.
import type { Coordinates } from '../model/coordinates.ts';
import type { BoundName } from '../model/facts.ts';
import type { Item } from '../model/fields.ts';
import type { Duration, DurationRange } from '../model/time.ts';
import type { Lock } from './locks.ts';

export type ScriptStep = Item & {
  /** Set just before the act. */
  readonly mark: string | null;
};

export type ScenarioClient = {
  /** Null where the client uses no account of the card. */
  readonly account: {
    readonly balance: number;
    readonly sameAs: string | null;
    /** The client whose account pays; absent: it pays for itself. */
    readonly paidBy?: string;
  } | null;
  /** Which instance of the system it connects to, from 1. */
  readonly instance: number;
  /** How the upstreams behave towards its exchanges; null: as they do towards everybody. */
  readonly behaviour: Item | null;
  readonly script: readonly ScriptStep[];
};

export type ScenarioUpstream = {
  readonly behaviour: Item;
  readonly onFin: 'continue' | 'close';
  /** Absent: that of the request's path and `stream` flag. */
  readonly shape?: string;
};

export type ScenarioFault = {
  /** Null: before the start (`before: start`): done to a system that was set up and is down. */
  readonly after: string | null;
  /** How long after the mark; absent: at once. */
  readonly wait?: Duration | DurationRange;
  readonly item: Item;
  /** Set once it has been done. */
  readonly mark: string | null;
};

/** A claim as it is written. */
export type ScenarioClaim = Item & {
  /** The name under which a report shows it, where the source of the scenario has one. */
  readonly as: string | null;
};

/** What the seed saw on one of the presets: our words, and the claims that must be violated there. */
export type Saw = { readonly what: string; readonly violates: readonly string[] };

/** What a run of the scenario must say of a claim instead of `held`, for a reason that holds this text. */
export type Concluded = { readonly outcome: 'inconclusive' | 'violated'; readonly because: string };

export type Scenario = {
  /** `disconnect/endless`, with `[how=fin]` where a matrix made it. Stable. */
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly about: string;
  readonly source: string;
  readonly tags: readonly string[];
  readonly system: {
    readonly card: string;
    /** Where it wants the card on its axes: `version` and others; absent: as the card says. */
    readonly coordinates?: Coordinates;
    readonly settings: Readonly<Record<string, unknown>>;
    /** Defects that every run of it has; absent: none. */
    readonly planted?: readonly string[];
    readonly instances: number;
    /** How far the wall clock of an instance (by number, from 1) is ahead, ms; negative: behind. */
    readonly clocks: Readonly<Record<string, number>>;
  };
  readonly tests: BoundName | null;
  readonly upstreams: Readonly<Record<string, ScenarioUpstream>>;
  /** Those with `copies` are in here as their copies: `alice-1`, ... */
  readonly clients: Readonly<Record<string, ScenarioClient>>;
  /** Names with copies, to those of the copies; a claim on such a name is about each. Absent where there are none. */
  readonly copies?: Readonly<Record<string, readonly string[]>>;
  readonly faults: readonly ScenarioFault[];
  readonly watch: Duration;
  /** What a run of it holds; absent: nothing of its own. */
  readonly locks?: readonly Lock[];
  readonly expect: readonly ScenarioClaim[];
  /** Planted defect to the claims that it must violate. */
  readonly catches: Readonly<Record<string, readonly string[]>>;
  /** Preset to what the seed saw there. */
  readonly saw: Readonly<Record<string, Saw>>;
  /** By claim (kind or id); every other claim must hold. Absent where all must. */
  readonly concludes?: Readonly<Record<string, Concluded>>;
  readonly matrix: Readonly<Record<string, string>>;
};
