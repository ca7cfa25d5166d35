// Every fact that a run can write down. Judges see nothing else. Stamped at the source, in ms
// since the run's origin; `exchange` numbers count requests at one upstream, `marker` is the text
// by which one request is known at client, system and upstream.
import type { CloseReport } from './scope.ts';
import type { HttpValue, LedgerValue, ProcessValue, SocketsValue } from './samples.ts';

/** By whom, and how on the wire, a connection's direction or the whole of it ended. */
export type CloseHow = 'fin' | 'rst';

type Upstream =
  | { type: 'connection-opened'; connection: number; local: string; peer: string }
  /** A complete request head and body has been read. `drive` requests carry a marker; side requests carry none. */
  | { type: 'request-received'; connection: number; exchange: number; marker: string | null; method: string; path: string; bodyBytes: number; behaviour: string }
  | { type: 'head-written'; exchange: number; status: number }
  /** Totals so far, at most every 50 ms. `events` are data events (what is billed); comments are apart. */
  | { type: 'answer-progress'; exchange: number; bytes: number; events: number; comments: number }
  | { type: 'write-blocked'; exchange: number; queuedBytes: number }
  | { type: 'write-drained'; exchange: number }
  /** The system's FIN or RST was read. `exchange` is the one open on it, if any; totals are at that moment. */
  | { type: 'peer-closed'; connection: number; exchange: number | null; marker: string | null; how: CloseHow; bytes: number; events: number }
  /** The behaviour wrote its last byte, was cut by a fault, or found its socket gone. `usage`: units it reported. */
  | { type: 'answer-ended'; exchange: number; marker: string | null; how: 'complete' | 'cut' | 'aborted'; by: 'script' | 'fault' | 'peer'; bytes: number; events: number; usage: number | null }
  | { type: 'connection-closed'; connection: number; by: 'peer' | 'self'; how: CloseHow };

type Client =
  | { type: 'connected'; connection: number; local: string; peer: string }
  | { type: 'connect-failed'; error: string }
  | { type: 'request-written'; connection: number; marker: string; bytes: number }
  | { type: 'response-head'; marker: string; status: number; contentType: string | null }
  /** Totals so far, at most every 50 ms. */
  | { type: 'received'; marker: string; bytes: number; events: number; comments: number }
  /**
   * complete: the HTTP message ended as announced; truncated: FIN before that; reset: RST.
   * `endMark`: the shape's last event came, or a whole document; `usage`: units that the answer itself reports; `errorEvent`: an error event or an error status came, with its text.
   */
  | { type: 'response-ended'; marker: string; how: 'complete' | 'truncated' | 'reset'; endMark: boolean; errorEvent: string | null; bytes: number; events: number; usage?: number | null; foreignMarkers: readonly string[] }
  | { type: 'paused'; marker: string; unreadBytes: number }
  | { type: 'resumed'; marker: string }
  /**
   * The client has gone. `wire`: what that put on the wire ('nothing' for vanish). `socket`: the kernel's
   * state of the client's own end before and after, the step's proof of its own act.
   */
  | { type: 'left'; how: string; wire: 'fin' | 'rst' | 'nothing'; marker: string | null; unreadBytes: number; socket: { before: string; after: string } };

/** `actor` is `harness`, or the client's for marks set by its steps (stamped just before the act). */
type Script =
  | { type: 'mark'; mark: string; client: string | null }
  /**
   * Announced before the request is sent. `purpose` `prepare` is the marked exchange that proves the path. `repeat`:
   * the client's latest request again, byte for byte, its marker included.
   */
  | { type: 'exchange-planned'; marker: string; client: string; account: string | null; upstream: string | null; request: string; purpose: 'prepare' | 'drive' | 'ask'; repeat?: boolean }
  | { type: 'step'; client: string; index: number; step: string; edge: 'begin' }
  | { type: 'step'; client: string; index: number; step: string; edge: 'end'; outcome: 'done' | 'not-seen' | 'failed'; reason: string | null };

type Harness =
  | { type: 'phase'; phase: PhaseName; edge: 'begin' | 'end' }
  | { type: 'stage-opened'; runtime: string; isolation: string; addresses: Readonly<Record<string, string>> }
  | { type: 'system-started'; process: string; pid: number | null }
  /** `process`: that of the instance that answered; absent in records of a time when there was one. */
  | { type: 'system-ready'; tookMs: number; process?: string }
  | { type: 'signal-sent'; process: string; signal: string; purpose: 'stop' | 'fault' | 'cleanup' | 'dump' }
  /** Stamped by whoever waited for the process. */
  | { type: 'process-exited'; process: string; code: number | null; signal: string | null }
  /** The system was asked for a dump of its own, because a claim was seen violated: by that signal, or by a command. What comes of it is our doing. `isOver`: at its end, whether it was seen to be done. */
  | { type: 'dump'; process: string; edge: 'begin' | 'end'; by: string; detail: string; isOver?: boolean }
  /** Live processes of the system after its main process ended; null: cannot be seen on this runtime. */
  | { type: 'processes-left'; pids: readonly number[] | null }
  | { type: 'fault'; fault: string; edge: 'fired' | 'failed'; detail: string }
  /** What a fault does for a while has taken hold, or was undone; stamped where it is done. */
  | { type: 'fault-held'; fault: string; edge: 'begin' | 'end' }
  | { type: 'path-control'; leg: 'client' | 'upstream'; how: CloseHow; seen: boolean; tookMs: number }
  /** Largest oversleep of a 20 ms timer of that process since its last report; reported every 250 ms. */
  | { type: 'scheduling-lag'; process: string; lagMs: number }
  | { type: 'clock'; offsetMs: number; errorMs: number }
  /** The harness let open exchanges come to their end: of that marker, or whatever was still open. `count`: so many were. */
  | { type: 'let-finish'; marker: string | null; count: number }
  | { type: 'settled'; pending: readonly string[]; tookMs: number }
  | { type: 'watch'; forMs: number }
  /** Asked once, last. `status` null: no answer. `tookMs`: it was asked so long before. */
  | { type: 'refund'; account: string; attempt: number; status: number | null; answer: string; verdict: 'accepted' | 'refused' | 'unexpected'; tookMs?: number }
  /** `aggregate` false: they were written without their part of the account's total, so that releasing them fails. */
  | { type: 'ledger-rows'; reservations: readonly string[]; account: string; aggregate?: boolean }
  /** A total without a row: as much was moved from the account's balance to what it has reserved. */
  | { type: 'ledger-aggregate'; account: string; amount: number; reservedAtMs: number | null }
  | { type: 'events-dropped'; process: string; count: number }
  | { type: 'actor-failed'; process: string; error: string }
  | { type: 'precondition'; name: string; met: boolean; detail: string }
  | { type: 'foreign-host'; name: string; answered: boolean }
  | ({ type: 'scope-closed' } & CloseReport);

/** `mark`: it is part of the snapshot taken at that mark. A failed sample has `error` and no value. */
type Sample =
  | { type: 'sample'; probe: 'ledger'; tookMs: number; mark?: string; value?: LedgerValue; error?: string }
  | { type: 'sample'; probe: 'sockets'; tookMs: number; mark?: string; value?: SocketsValue; error?: string }
  | { type: 'sample'; probe: 'process'; tookMs: number; mark?: string; value?: ProcessValue; error?: string }
  | { type: 'sample'; probe: 'http'; tookMs: number; mark?: string; value?: HttpValue; error?: string };

export type PhaseName =
  | 'prepare' | 'path-control' | 'baseline' | 'drive' | 'settle' | 'watch' | 'ask' | 'stop' | 'seal';

/** What an actor says happened; the stamp is added where it happened. */
export type Fact = Upstream | Client | Script | Harness | Sample;
export type FactType = Fact['type'];
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

/**
 * One timestamped fact. `actor`: `harness`, `upstream.<name>`, `client.<name>`, `probe.<name>` or `system`.
 * `seq` counts per actor. A sample is stamped when it was complete; it began `tookMs` earlier.
 */
export type Stamp = { readonly atMs: number; readonly actor: string; readonly seq: number };
export type Observation = Readonly<Stamp & Fact>;
export type ObservationOf<T extends FactType> = Readonly<Stamp & FactOf<T>>;

/** How evidence names an observation. */
export const refOf = (observation: Stamp): string => `${observation.actor}#${observation.seq}`;
