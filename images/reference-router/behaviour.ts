// The decisions that make this router behave well, in one record. Everything else is mechanics. A
// planted defect (defects/) replaces a single entry; without one, this is what runs.
import type { Config } from './config.ts';
import type { Deadline, Limits } from './exchange/deadlines.ts';
import { deadlinesOf } from './exchange/deadlines.ts';
import type { EndSteps, Exchange } from './exchange/exchange.ts';
import type { Facts } from './exchange/facts.ts';
import type { Reason } from './exchange/reasons.ts';
import type { Upstream, UpstreamEvents, UpstreamRequest } from './http/upstream.ts';
import { cleanSweepPolicy } from './ledger/sweep.ts';
import type { SweepPolicy, SweepResult } from './ledger/sweep.ts';
import type { Services } from './services.ts';
import type { PartKind } from './shapes/shape.ts';

export type Behaviour = {
  /** What ends an exchange, and when. */
  readonly deadlines: (facts: Facts, limits: Limits) => readonly Deadline[];
  /** What pushes the progress deadline back. */
  readonly isProgress: (kind: PartKind) => boolean;
  /** Whether the lease may be renewed; `isDue`: one of its deadlines has passed. */
  readonly mayRenew: (facts: Facts, isDue: boolean) => boolean;
  /** Whether the upstream is made to wait for a client that has not taken `pendingBytes`. */
  readonly waitsForClient: (pendingBytes: number) => boolean;
  /** How a request comes to a connection of the upstream's. */
  readonly openUpstream: (exchange: Exchange, request: UpstreamRequest, events: UpstreamEvents) => Upstream;
  /** Whether the place of an exchange that has ended is free for the next one. */
  readonly givesSlotBack: (reason: Reason) => boolean;
  readonly onClientLeft: (exchange: Exchange) => void;
  readonly onUpstreamFailed: (exchange: Exchange) => void;
  /** Takes the steps of an end in the right order; resolves when the last of them is done. */
  readonly onEnd: (exchange: Exchange, reason: Reason, steps: EndSteps) => Promise<void>;
  /** Something else would have ended an exchange that has ended. */
  readonly onEndedAgain: (exchange: Exchange, reason: Reason) => void;
  /** What is charged, of what was delivered or used. */
  readonly owed: (exchange: Exchange, reason: Reason, cost: number) => number;
  /** How long the first attempt to settle may take, of what is configured. */
  readonly settleMs: (limitMs: number) => number;
  /** Brings the reservation to its terminal state; `settle` is the one right way. */
  readonly settle: (exchange: Exchange, reason: Reason, settle: () => Promise<void>) => Promise<void>;
  /** Up to which age of a reservation its lease may be renewed, of what is configured. */
  readonly renewableMs: (limitMs: number) => number;
  /** The reservation of a live exchange is not active any more: somebody else has given it back. */
  readonly onLost: (exchange: Exchange) => void;
  /** Before serving: what is done to reservations that are there already. @returns those to be renewed besides one's own */
  readonly onStart: (config: Config) => readonly string[];
  readonly sweeps: boolean;
  readonly sweepPolicy: SweepPolicy;
  readonly onSwept: (services: Services, result: SweepResult) => void;
  readonly sweepsBeforeRefund: boolean;
  readonly refundsReserved: boolean;
  /** By what a request is recognised that comes again; null: by nothing. */
  readonly repeatKey: (key: string | null) => string | null;
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
  openUpstream: (exchange, request, events) => exchange.services.openUpstream(request, events),
  givesSlotBack: () => true,
  onClientLeft: (exchange) => {
    if (exchange.services.config.onDisconnect === 'drain' && exchange.facts.headAtMs !== null) exchange.drain();
    else exchange.end('client-left');
  },
  onUpstreamFailed: (exchange) => exchange.end('upstream-failed'),
  // Upstream first, then the client, and the ledger last: a locked ledger must keep neither waiting.
  onEnd: (_exchange, _reason, { closeUpstream, tellClient, settle }) => {
    closeUpstream();
    tellClient();
    return settle();
  },
  onEndedAgain: () => undefined,
  owed: (_exchange, _reason, cost) => cost,
  settleMs: (limitMs) => limitMs,
  settle: (_exchange, _reason, settle) => settle(),
  renewableMs: (limitMs) => limitMs,
  // Its money is with its owner again: nobody may go on working on it.
  onLost: (exchange) => exchange.end('reservation-lost'),
  // Nothing: they may be a peer's, and what is nobody's is swept once its lease is over.
  onStart: () => [],
  sweeps: true,
  sweepPolicy: cleanSweepPolicy,
  onSwept: () => undefined,
  sweepsBeforeRefund: true,
  refundsReserved: false,
  repeatKey: (key) => key,
  shutdownStreamsMs: (limitMs) => limitMs,
  shutdownSettlementsMs: (limitMs) => limitMs,
};
