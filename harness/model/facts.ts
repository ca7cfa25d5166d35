// What a judge may know beside the timeline: resolved numbers of the card and the scenario.
// No defect, no `catches`, no environment of the system is in here, by design.
import type { Item, Options } from './fields.ts';

/** Bounds a card may declare; see the `bounded-wait` claim for each one's origin. */
export const BOUND_NAMES = ['header', 'read', 'progress', 'send', 'lifetime', 'age', 'settle', 'drain', 'shutdown'] as const;
export type BoundName = (typeof BOUND_NAMES)[number];

/** From which moment each bound counts, as the table of claims has it. */
export const ORIGINS: Readonly<Record<BoundName, string>> = {
  header: 'the request is written',
  read: 'the last byte that the upstream wrote',
  progress: 'the last data event, else the head',
  send: "the system's send queue to the client is first seen full and unmoving",
  lifetime: 'the request is written',
  age: 'the request is written',
  settle: 'the end of the upstream exchange, or the leave',
  drain: 'the leave',
  shutdown: 'the stop signal',
};

export type Policy = {
  readonly onDisconnect: 'cancel' | 'drain';
  /** What a FIN without more means to the system. */
  readonly halfClose: 'abort' | 'serve';
  readonly partialBilling: 'delivered' | 'nothing' | 'full';
};

/** One instance of the system. `clockAheadMs`: of its wall clock. */
export type Instance = { readonly process: string; readonly address: string; readonly listen: string; readonly clockAheadMs: number };

export type Facts = {
  readonly scenario: string;
  readonly runtime: 'process' | 'docker';
  /** The bound that this scenario tests, or null. */
  readonly tests: BoundName | null;
  readonly clients: Readonly<Record<string, { readonly account: string | null; readonly address: string }>>;
  /** Names that stand for several clients of one script; absent where there are none. */
  readonly copies?: Readonly<Record<string, readonly string[]>>;
  readonly upstreams: Readonly<Record<string, { readonly address: string }>>;
  /**
   * `address:port` at which the system serves clients, and its address on the upstream leg. `main` is its first
   * instance's process; `instances` are all of them, the first first.
   */
  readonly system: {
    readonly listen: string;
    readonly address: string;
    readonly main: string;
    /** There is no system: clients talk to the upstream themselves, or to nobody. */
    readonly absent?: true;
    /** Absent in records of a time when there was one; ask `instancesOf`. */
    readonly instances?: readonly Instance[];
  };
  /** Undefined where the card declares none: claims that need it do not apply. */
  readonly periods: { readonly renewalMs?: number; readonly leaseMs?: number; readonly sweepMs?: number };
  /** In effect in this run, ms. */
  readonly bounds: Readonly<Partial<Record<BoundName, number>>>;
  readonly price: { readonly perRequest: number; readonly perEvent: number } | null;
  readonly policy: Policy;
  readonly ledger: { readonly hasReservations: boolean; readonly hasCharges: boolean } | null;
  readonly stop: { readonly signal: string; readonly graceMs: number; readonly exit: readonly number[] };
  /** How often the probes were asked to sample, ms. */
  readonly sampling: { readonly ledgerMs: number; readonly socketsMs: number; readonly processMs: number };
  /**
   * Every leave of the scripts that has a mark, by what the step names. `quiet`: the upstream writes nothing
   * then (silent, header-wait), so that a FIN is all the system can know.
   */
  readonly leaves: readonly { readonly mark: string; readonly client: string; readonly how: string; readonly quiet?: boolean }[];
  /** Mark at which the scenario itself stops the system, if it does. */
  readonly stopsAt: string | null;
  readonly watchMs: number;
  /** Slack for measuring: added to limits before "too late" is said. */
  readonly marginMs: number;
};

/** One claim to judge: `id` is unique in the scenario; `reason` says why it does not apply, else null. */
export type Claim = Item & { readonly id: string; readonly as?: string; readonly notApplicable: string | null };

/** A claim's options once for each client that it is about: the copies, where its client has some. */
export const eachClient = ({ copies }: Facts, options: Options): readonly Options[] => {
  const members = typeof options.client === 'string' ? copies?.[options.client] : undefined;
  return members?.map((client) => ({ ...options, client })) ?? [options];
};

/** Every instance of the system, the first first. */
export const instancesOf = ({ system }: Facts): readonly Instance[] =>
  system.instances ?? [{ process: system.main, address: system.address, listen: system.listen, clockAheadMs: 0 }];
