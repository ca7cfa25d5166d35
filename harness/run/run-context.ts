// What the phases of one run share. Built up by `prepare`, then read only.
import type { BundleWriter } from '../bundle/write.ts';
import type { Facts } from '../model/facts.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Scope } from '../model/scope.ts';
import type { Stage } from '../runtimes/runtime.ts';
import type { RunAccount } from '../systems/accounts.ts';
import type { Cell } from '../systems/cell.ts';
import type { StartedSystem } from '../systems/start.ts';

export type Run = {
  readonly cell: Cell;
  /** The cell's facts with the addresses of this stage. */
  readonly facts: Facts;
  readonly timeline: LiveTimeline;
  readonly scope: Scope;
  readonly stage: Stage;
  readonly system: StartedSystem;
  readonly accounts: ReadonlyMap<string, RunAccount>;
  readonly bundle: BundleWriter;
  /** Aborted by the user: the phases that are left are skipped, the stop and the seal are not. */
  readonly signal: AbortSignal;
};
