// The contract of a fault: something done to the system, its upstreams or its ledger at a mark.
import type { Facts } from '../model/facts.ts';
import type { Options } from '../model/fields.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Definition } from '../model/registry.ts';

/** A reservation to be written into the ledger, in canonical words; the card maps it to statements. */
export type LedgerRow = {
  readonly id: string;
  readonly account: string;
  readonly amount: number;
  readonly leaseAtMs: number;
  readonly startedAtMs: number;
};

/** Money that an account holds as reserved. `reservedAtMs` null: the ledger does not say since when. */
export type LedgerAggregate = { readonly account: string; readonly amount: number; readonly reservedAtMs: number | null };

/** What belongs together: a reservation, its part of the account's total, or one without the other. */
export type LedgerEntry = { readonly row?: LedgerRow; readonly aggregate?: LedgerAggregate };

/** `ledger-row`, `ledger-aggregate`: the card says how one is written. */
export type FaultNeed = 'ledger' | 'ledger-row' | 'ledger-aggregate' | 'namespace';

export type FaultContext = {
  readonly facts: Facts;
  readonly timeline: LiveTimeline;
  /** Signals the main process of the system (or of the named part of it: an instance is `facts.system.instances[n - 1].process`). */
  readonly signalSystem: (signal: string, process?: string) => Promise<void>;
  /** Signals a process that has to end by it, and waits for its end. @throws Error when it is still there after the limit, ms */
  readonly endSystem: (signal: string, process: string, limitMs: number) => Promise<void>;
  /** Starts a process of the system again that has ended, on the same data, and waits for its readiness. */
  readonly startSystem: (process: string) => Promise<void>;
  /** A command for the upstreams' process, e.g. `finish` or `stop`, with what it takes beside the upstream's name. */
  readonly upstream: (command: string, upstream: string, options?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** A command for the probes' process, which reaches the ledger from beside the system. */
  readonly beside: (command: string, options: Readonly<Record<string, unknown>>, limitMs?: number) => Promise<unknown>;
  /** Path of the ledger as the probes see it; null where the card has none. */
  readonly ledgerPath: string | null;
  /** Cuts `upstream.model`, `client.alice` or `system` off, or ends that: nothing gets through meanwhile, and nobody is told. */
  readonly cutAddress: (name: string) => Promise<void>;
  readonly healAddress: (name: string) => Promise<void>;
  /** Aborted when the run is. */
  readonly signal: AbortSignal;
  /** Writes all entries in one transaction, through the card's statements: of each the row, then the aggregate. */
  readonly writeLedger: (entries: readonly LedgerEntry[]) => Promise<void>;
  /** The ledger's account id of a client. */
  readonly accountOf: (client: string) => string | null;
};

export type FaultDefinition = Definition & {
  /** Without it the scenario does not apply. */
  readonly needs?: (options: Options) => readonly FaultNeed[];
  /** Whether it stops the system: then the scenario's own stop is this one. */
  readonly stopsSystem?: (options: Options) => boolean;
  /** @returns one line of what was done; throws when it could not be: the scenario is then inconclusive */
  readonly fire: (context: FaultContext, options: Options) => Promise<string>;
};
