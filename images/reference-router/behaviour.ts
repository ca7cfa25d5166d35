// The decisions that make this router behave well, in one record. Everything else is mechanics. A
// planted defect (defects/) replaces a single entry; without one, this is what runs.
import type { Deadline, Limits } from './exchange/deadlines.ts';
import { deadlinesOf } from './exchange/deadlines.ts';
import type { Exchange } from './exchange/exchange.ts';
import type { Facts } from './exchange/facts.ts';
import type { PartKind } from './exchange/meter.ts';
import type { Reason } from './exchange/reasons.ts';

export type Behaviour = {
  /** What ends an exchange, and when. */
  readonly deadlines: (facts: Facts, limits: Limits) => readonly Deadline[];
  /** What pushes the progress deadline back. */
  readonly isProgress: (kind: PartKind) => boolean;
  /** Whether the lease may be renewed; `isDue`: one of its deadlines has passed. */
  readonly mayRenew: (facts: Facts, isDue: boolean) => boolean;
  /** Whether the upstream is made to wait for a client that has not taken `pendingBytes`. */
  readonly waitsForClient: (pendingBytes: number) => boolean;
  readonly onClientLeft: (exchange: Exchange) => void;
  readonly onUpstreamFailed: (exchange: Exchange) => void;
  /** Brings the reservation to its terminal state; `settle` is the one right way. */
  readonly settle: (exchange: Exchange, reason: Reason, settle: () => Promise<void>) => Promise<void>;
  readonly sweeps: boolean;
  /** How long a shutdown lets streams go on, of what is configured; likewise settlements. */
  readonly shutdownStreamsMs: (limitMs: number) => number;
  readonly shutdownSettlementsMs: (limitMs: number) => number;
};

export const cleanBehaviour: Behaviour = {
  deadlines: deadlinesOf,
  // Comments, usage and the end mark keep a connection alive; only content is what was asked for.
  isProgress: (kind) => kind === 'content' || kind === 'body',
  mayRenew: (facts, isDue) => !facts.ended && !isDue,
  waitsForClient: () => true,
  onClientLeft: (exchange) => {
    if (exchange.services.config.onDisconnect === 'drain' && exchange.facts.headAtMs !== null) exchange.drain();
    else exchange.end('client-left');
  },
  onUpstreamFailed: (exchange) => exchange.end('upstream-failed'),
  settle: (_exchange, _reason, settle) => settle(),
  sweeps: true,
  shutdownStreamsMs: (limitMs) => limitMs,
  shutdownSettlementsMs: (limitMs) => limitMs,
};
