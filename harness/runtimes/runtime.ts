// The contract of a runtime: how actors and systems are executed. Both runtimes give the same
// stage: one network namespace with an address for everybody, actors that speak the protocol of
// model/protocol.ts, and the system joined to it.
import type { Emitted, Send } from '../model/protocol.ts';
import type { Scope } from '../model/scope.ts';
import type { Capture, CapturePlan } from './capture.ts';
import type { Ran } from './stage-beside.ts';

export type RuntimeKind = 'process' | 'docker';

export type Capability = {
  readonly available: boolean;
  /** One line: which engine or isolation answered, or why it cannot be used. */
  readonly why: string;
  readonly hint?: string;
  /** `namespace`: network and pid namespaces; `loopback`: plain loopback, no vanish. */
  readonly isolation: 'namespace' | 'loopback';
};

export type StagePlan = {
  /** Unique for the harness's process; everything started carries it as label or environment value. */
  readonly runId: string;
  /** Unique within the run, safe in names: scenario id and attempt. */
  readonly stageId: string;
  /** A folder on the harness's disk, owned and removed by the stage: logs, templated files, ledger. */
  readonly folder: string;
  /** Names that need an address: `system`, `upstream.model`, `client.alice`. */
  readonly names: readonly string[];
  /** Clients that must be processes of their own (`kill`). */
  readonly ownProcesses: readonly string[];
  /** Facts of all actors arrive here, unordered, with absolute stamps. */
  readonly onFact: (fact: Emitted) => void;
  /** An actor's process ended or its output broke off, without having been told to; `atMs`: since when it was not heard, absolute. */
  readonly onActorFailed: (process: string, error: string, atMs?: number) => void;
};

/** One entry of the card's `run`, ready to start: everything templated. */
export type SystemPlan = {
  readonly name: string;
  readonly process?: { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>; readonly cwd: string };
  readonly docker?: {
    readonly image: string;
    readonly command?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly init: boolean;
    /** Paths in the container that are on the stage's shared volume, where probes find the ledger. */
    readonly data?: string;
  };
};

export type RunningSystem = {
  readonly name: string;
  /** Pid as the process probe sees it from where it samples. */
  readonly pid: number | null;
  /** Where only the stage can see it: its number there, or that of the init whose child it is. */
  readonly stagePid?: { readonly pid: number; readonly isInit: boolean } | undefined;
  /**
   * Whether there was still somebody to hear it. Rejects when the signal cannot be delivered for another reason than that
   * it has ended.
   */
  readonly signal: (signal: string) => Promise<boolean>;
  /** Resolves when it has ended; `atMs` is absolute. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null; readonly atMs: number }>;
  readonly hasExited: () => boolean;
  /** Asks for its end, where the news of it may be lost on the way: `hasExited` says it then. Never rejects. */
  readonly look?: () => Promise<void>;
  /** Runs a command beside it, where it runs itself; `pid` is its own number there. Never rejects. */
  readonly exec?: { readonly pid: number; readonly run: (command: readonly string[], limitMs: number) => Promise<Ran> };
  /** What it has printed so far (both streams), at most the last `bytes`. */
  readonly readLog: (bytes?: number) => Promise<string>;
  /** How many bytes it has printed so far, in all its lives: cheap, asked several times a second. */
  readonly logBytes?: () => Promise<number>;
};

/** How somebody gets at a part of a stage: `shell in the stage` by `nsenter ...`. */
export type Way = { readonly what: string; readonly how: string };

export type Stage = {
  readonly isolation: 'namespace' | 'loopback';
  readonly addressOf: (name: string) => string;
  /** The port the system must listen on: the card's own in a namespace, a free one in plain loopback. */
  readonly portFor: (wanted: number) => number;
  /** The folder as the system sees it (`/stage` in a container), and as the probes see it. */
  readonly systemFolder: string;
  readonly probesFolder: string;
  readonly send: Send;
  readonly startSystem: (plan: SystemPlan) => Promise<RunningSystem>;
  readonly removeAddress: (name: string) => Promise<void>;
  /** Cuts an address off from all others, both ways and without a sign (namespace only); `healAddress` ends that. */
  readonly cutAddress: (name: string) => Promise<void>;
  readonly healAddress: (name: string) => Promise<void>;
  readonly killActor: (process: string) => Promise<void>;
  /** Ways in, for people: commands for a shell, and what has which number on this machine. */
  readonly waysIn?: (processes: readonly Pick<RunningSystem, 'name' | 'pid'>[]) => Promise<readonly Way[]>;
  /** Records the stage's packets. Rejects with the reason where that cannot be done; the stage goes on without. */
  readonly capture: (plan: CapturePlan) => Promise<Capture>;
  /** Processes of the system still alive in the stage, for `clean-shutdown`; null: cannot be seen here. */
  readonly systemProcesses: () => Promise<readonly number[] | null>;
  /** Where the process probe samples: in the stage, or from the harness's own /proc (docker on this host). */
  readonly processView: 'stage' | 'harness' | 'none';
};

export type Runtime = {
  readonly kind: RuntimeKind;
  readonly probe: () => Promise<Capability>;
  /** Nothing is ever started on it. */
  readonly startsNothing?: true;
  /** Everything the stage starts is registered in the scope before it is awaited. */
  readonly openStage: (plan: StagePlan, scope: Scope) => Promise<Stage>;
  /** Makes what capturing takes; where it is not there, nothing takes anything. Rejects where it cannot be made. */
  readonly prepareCapture?: () => Promise<void>;
  /** What the engine can give to containers, where there is one; absent: this machine. `isHere`: it is this machine's. */
  readonly capacity?: () => Promise<{ readonly memoryBytes: number; readonly processors: number; readonly isHere: boolean }>;
  /** Versions for the manifest: engine, kernel, image digests. */
  readonly describe: () => Promise<Readonly<Record<string, string>>>;
};
