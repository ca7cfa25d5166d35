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

export type FaultContext = {
  readonly facts: Facts;
  readonly timeline: LiveTimeline;
  /** Signals the main process of the system (or of the named part of it). */
  readonly signalSystem: (signal: string, process?: string) => Promise<void>;
  /** A command for the upstreams' process, e.g. `finish` or `stop`. */
  readonly upstream: (command: string, upstream: string) => Promise<unknown>;
  /** Writes rows and their aggregate in one transaction, through the card's statements. */
  readonly writeRows: (rows: readonly LedgerRow[]) => Promise<void>;
  /** The ledger's account id of a client. */
  readonly accountOf: (client: string) => string | null;
};

export type FaultDefinition = Definition & {
  readonly needs?: readonly ('ledger' | 'namespace')[];
  /** Whether it stops the system: then the scenario's own stop is this one. */
  readonly stopsSystem?: (options: Options) => boolean;
  /** @returns one line of what was done; throws when it could not be: the scenario is then inconclusive */
  readonly fire: (context: FaultContext, options: Options) => Promise<string>;
};
