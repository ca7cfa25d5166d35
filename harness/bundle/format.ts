// Names and shapes of the files of a bundle. Append-only while it is written, then sealed.
import type { Claim, Facts } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { ScenarioOutcome, Verdict } from '../model/verdict.ts';

/** Bumped whenever a reader of the old format would misread the new one. */
export const FORMAT_VERSION = 1;
/** Bumped whenever the same timeline may be judged otherwise. */
export const JUDGE_VERSION = 3;

export const FILES = {
  manifest: 'manifest.json',
  scenario: 'scenario.yaml',
  resolved: 'resolved.json',
  card: 'system.yaml',
  timeline: 'timeline.ndjson',
  control: 'control.ndjson',
  verdicts: 'verdicts.json',
  report: 'report.md',
  html: 'report.html',
  seal: 'seal.json',
  reduced: 'reduced.json',
  wholeSeal: 'whole-seal.json',
  snapshots: 'snapshots',
  sockets: 'sockets',
  logs: 'logs',
  dumps: 'dumps',
  /** Packets as they were, secrets included: never part of what is passed on unless asked for. */
  capture: 'capture/stage.pcap',
} as const;

/** resolved.json. `judged` is all that judges see; `run` is for people and for running it again. */
export type Resolved = {
  readonly judged: { readonly facts: Facts; readonly claims: readonly Claim[] };
  readonly run: {
    readonly card: string;
    readonly defects: readonly string[];
    readonly settings: Readonly<Record<string, unknown>>;
    readonly matrix: Readonly<Record<string, string>>;
    /** Where the system stood on its axes: versions, settings, defects. Absent: as its card says. */
    readonly coordinates?: Readonly<Record<string, string>>;
    readonly catches: Readonly<Record<string, readonly string[]>>;
    readonly saw: Readonly<Record<string, { readonly what: string; readonly violates: readonly string[] }>>;
    /** By claim: what must be said of it instead of `held`. Absent where all must hold. */
    readonly concludes?: Readonly<Record<string, { readonly outcome: 'inconclusive' | 'violated'; readonly because: string }>>;
    readonly about: string;
    readonly source: string;
    /** Path of the scenario's file as the user would give it. */
    readonly file?: string;
    /** The card's file, and the SHA-256 of its text; the text itself is system.yaml. Absent in bundles of a time before. */
    readonly cardFile?: string;
    readonly cardHash?: string;
    /** SHA-256 of what the card names beside itself, by path from its folder; null: too large. Absent in bundles of a time before. */
    readonly cardFiles?: Readonly<Record<string, string | null>>;
    /** Of the system, as the card says. */
    readonly version?: string;
    /** The card that was asked for in place of the scenario's own, as it was given; null: the scenario's own. */
    readonly system?: string | null;
    /** What was set by `--var`. */
    readonly variables?: Readonly<Record<string, string>>;
    /** Where issues of the system are kept, as its card says: `owner/name`. */
    readonly repository?: string;
    /** Presets as they were asked for; `defects` holds the switches that they stand for. */
    readonly presets?: readonly string[];
    /** What was chosen where the scenario gives a range, by place, ms, and the seed that alone gives the same. Absent where it gives none. */
    readonly drawn?: { readonly seed: number; readonly times: Readonly<Record<string, number>> };
    /** What the card lists as known for this scenario and version. */
    readonly known?: readonly { readonly violates: readonly string[]; readonly issue?: string }[];
  };
};

export type Manifest = {
  readonly format: number;
  readonly runId: string;
  readonly scenario: string;
  readonly scenarioHash: string;
  readonly runtime: string;
  readonly argv: readonly string[];
  readonly startedAt: string;
  readonly harness: { readonly version: string; readonly commit: string | null; readonly dirty: boolean | null };
  /** node, kernel, engine, image digests, packages: what the card names, and what came along with it (model/came-along.ts). */
  readonly versions: Readonly<Record<string, string>>;
  /** Wall time of each phase, ms. */
  readonly phases: Readonly<Record<string, number>>;
  readonly isControl: boolean;
  /** Of the command, as `--seed` takes it. Absent in bundles of a time before, or of a run that had none. */
  readonly seed?: number;
};

/** verdicts.json. */
export type Verdicts = {
  readonly judge: number;
  readonly scenario: string;
  readonly outcome: ScenarioOutcome;
  readonly verdicts: readonly Verdict[];
  /** Why it is `error` or `interrupted`. */
  readonly problems: readonly Pick<Problem, 'family' | 'code' | 'message' | 'hint'>[];
};

/** seal.json: SHA-256 of every other file, by path in the bundle. */
export type Seal = { readonly format: number; readonly files: Readonly<Record<string, string>> };
