// What is known about a running exchange: plain numbers, changed by the relay and read by whoever
// has to decide (deadlines, heartbeat, billing, status).

/** Times are ms of the monotonic clock. */
export type Facts = {
  /** The request had been read. */
  readonly arrivedAtMs: number;
  /** The reservation was made: its immutable start. */
  readonly reservedAtMs: number;
  /** Sent upstream for the first time; null while it is queued. */
  sentAtMs: number | null;
  /** Attempts that failed and were followed by another one. */
  failures: number;
  headAtMs: number | null;
  /** Last byte from the upstream, of whatever kind. */
  lastByteAtMs: number;
  /** Last thing that counts as progress, else the head. */
  progressAtMs: number;
  /** The client has not taken what it was sent since then. */
  blockedSinceMs: number | null;
  /** The client has left and the exchange goes on without it (drain policy). */
  leftAtMs: number | null;
  upstreamEnded: boolean;
  /** Data events with content that were passed on. */
  events: number;
  /** Completion tokens as counted by the upstream itself, once it has said so. */
  usage: number | null;
  ended: boolean;
};

export type Phase = 'queued' | 'header-wait' | 'streaming' | 'blocked' | 'draining' | 'flushing' | 'settling';

export const createFacts = (arrivedAtMs: number, reservedAtMs: number): Facts => ({
  arrivedAtMs,
  reservedAtMs,
  sentAtMs: null,
  failures: 0,
  headAtMs: null,
  lastByteAtMs: arrivedAtMs,
  progressAtMs: arrivedAtMs,
  blockedSinceMs: null,
  leftAtMs: null,
  upstreamEnded: false,
  events: 0,
  usage: null,
  ended: false,
});

/** The phase by name, for people: status and logs. */
export const phaseOf = (facts: Facts): Phase => {
  if (facts.ended) return 'settling';
  if (facts.leftAtMs !== null) return 'draining';
  if (facts.sentAtMs === null) return 'queued';
  if (facts.headAtMs === null) return 'header-wait';
  if (facts.upstreamEnded) return 'flushing';
  return facts.blockedSinceMs === null ? 'streaming' : 'blocked';
};
