// What a picture of one run shows, as plain data: lanes on one axis, claims with the facts that decided them, every
// observation in words, logs by time. It is JSON, and compact: long lists are columns, texts are kept once. Whatever draws
// a run (report.html, a comparison) draws this and never looks into the bundle itself.
import type { Manifest } from '../../bundle/format.ts';
import type { Outcome, ScenarioOutcome } from '../../model/verdict.ts';
import type { ClaimRow } from '../summary.ts';

/** How it strikes the eye. `quiet` is context; `warn` is what went on after it should have ended; `bad` is what broke. */
export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'quiet';

/** Index of an observation in `View.observations`; -1 where none stands behind it. */
export type Reference = number;

/** Something that lasted. `isOpen`: its end was not seen, it reaches to the end of what was. */
export type Bar = {
  readonly row: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly tone: Tone;
  readonly label: string;
  readonly ref: Reference;
  readonly isOpen?: true;
};

export type TickKind = 'data' | 'renewal' | 'charge' | 'lag';

/** Many short things of one kind on one row; `at` and `refs` are columns of the same length, `at` ascending. */
export type Ticks = {
  readonly row: number;
  readonly kind: TickKind;
  readonly label: string;
  readonly at: readonly number[];
  readonly refs: readonly Reference[];
};

export type Sign =
  | 'request'
  | 'head'
  | 'end'
  | 'told'
  | 'fin'
  | 'rst'
  | 'vanish'
  | 'signal'
  | 'exit'
  | 'ready'
  | 'fault'
  | 'lost'
  | 'terminal'
  | 'refund'
  | 'blocked'
  | 'resumed'
  | 'note';

/** One moment that stands out. */
export type Point = {
  readonly row: number;
  readonly atMs: number;
  readonly sign: Sign;
  readonly tone: Tone;
  readonly label: string;
  /** One or two words to stand beside it in the picture; absent where the sign says it all. */
  readonly short?: string;
  readonly ref: Reference;
};

/** A quantity over time; columns, `at` ascending. */
export type Curve = {
  readonly row: number;
  readonly label: string;
  readonly unit: 'bytes';
  readonly at: readonly number[];
  readonly values: readonly number[];
};

export type LaneKind = 'client' | 'system' | 'upstream' | 'ledger' | 'sockets' | 'process' | 'harness';

export type Lane = {
  /** Unique: the actor, or what the lane is about. */
  readonly id: string;
  readonly kind: LaneKind;
  readonly name: string;
  /** Names of its rows, the first above; empty where the lane's name says it all. At least one. */
  readonly rows: readonly string[];
  readonly bars: readonly Bar[];
  readonly ticks: readonly Ticks[];
  readonly points: readonly Point[];
  readonly curves: readonly Curve[];
  /** What was left out so that it can be drawn, in words; null: nothing. */
  readonly leftOut: string | null;
};

export type ViewMark = { readonly name: string; readonly atMs: number; readonly client: string | null; readonly ref: Reference };
/** `toMs` of one that was cut off is the run's end. */
export type ViewPhase = { readonly name: string; readonly fromMs: number; readonly toMs: number };
export type Interval = { readonly fromMs: number; readonly toMs: number };

export type ViewClaim = {
  readonly id: string;
  /** With the name that its scenario gives it. */
  readonly title: string;
  readonly outcome: Outcome;
  readonly standing: ClaimRow['standing'];
  readonly issue: string | null;
  readonly class: string | null;
  readonly reason: string;
  /** In which it was violated. */
  readonly interval: Interval | null;
  /** The observations that decided it, by time. */
  readonly evidence: readonly Reference[];
  /** References of its evidence that this bundle does not hold. */
  readonly missing: readonly string[];
  /** Lanes that its evidence lies in, by id. */
  readonly lanes: readonly string[];
};

/** Columns of the same length, in the timeline's order. `actor#seq` is an observation's name in the bundle. */
export type ViewObservations = {
  readonly at: readonly number[];
  /** Into `View.actors`. */
  readonly actor: readonly number[];
  readonly seq: readonly number[];
  /** Into `View.types`. */
  readonly type: readonly number[];
  /** Into `View.texts`. */
  readonly text: readonly number[];
};

/** Lines of one log; columns. `at`: ms of the run, null where nothing says when. */
export type ViewLog = {
  readonly name: string;
  readonly at: readonly (number | null)[];
  readonly text: readonly string[];
  /** Where the times are from. */
  readonly times: 'recorded' | 'lines' | 'none';
  readonly leftOut: string | null;
};

export type View = {
  readonly scenario: string;
  readonly outcome: ScenarioOutcome;
  readonly runtime: string;
  readonly startedAt: string;
  readonly harness: Manifest['harness'];
  /** From nought to the last observation. */
  readonly spanMs: number;
  /** What to look at first: the violated interval with its causes, else the whole of what was driven. */
  readonly focus: Interval;
  readonly marks: readonly ViewMark[];
  readonly phases: readonly ViewPhase[];
  readonly claims: readonly ViewClaim[];
  readonly lanes: readonly Lane[];
  readonly actors: readonly string[];
  readonly types: readonly string[];
  readonly texts: readonly string[];
  readonly observations: ViewObservations;
  readonly logs: readonly ViewLog[];
};
