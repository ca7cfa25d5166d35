// What the probes see, in canonical form. Judges read these and nothing system-specific.

/** One account. Amounts are in the card's balance unit; `balance` is net of `reserved`. */
export type Account = { readonly id: string; readonly balance: number; readonly reserved: number; readonly spent: number };

export type Reservation = {
  readonly id: string;
  /** The account whose key asked. */
  readonly account: string;
  /** The account whose balance backs it; the same unless the card says otherwise. */
  readonly payer: string;
  readonly amount: number;
  readonly state: string;
  readonly terminal: boolean;
  /** Milliseconds since the epoch, as the ledger has them. */
  readonly leaseAtMs?: number;
  readonly startedAtMs?: number;
  readonly marker?: string;
  readonly reason?: string;
};

export type Charge = { readonly id: string; readonly account: string; readonly amount: number; readonly marker?: string };

export type LedgerValue = {
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  /** Absent where the card has no charges: then growth of `spent` is a charge. */
  readonly charges?: readonly Charge[];
  /** False where the parts were not read in one transaction. */
  readonly consistent: boolean;
  /** The ledger's own wall clock at the sample, ms since the epoch; leases are compared with it. */
  readonly wallMs: number;
  /** How often the ledger had been written by then, by whomever; absent where that cannot be told. Take differences; less than before means nothing. */
  readonly writes?: number;
};

/** Linux TCP states of /proc/net/tcp, by name. */
export type SocketState =
  | 'established' | 'syn-sent' | 'syn-received' | 'fin-wait-1' | 'fin-wait-2' | 'time-wait'
  | 'close' | 'close-wait' | 'last-ack' | 'listen' | 'closing';

/** One row of the namespace's socket table. Endpoints are `address:port`. */
export type SocketRow = {
  readonly local: string;
  readonly remote: string;
  readonly state: SocketState;
  readonly sendQueue: number;
  readonly receiveQueue: number;
  /** 0: no process owns it any more (orphaned). */
  readonly inode: number;
};

export type SocketsValue = { readonly rows: readonly SocketRow[] };

/** The process tree of the system. */
export type ProcessValue = {
  /** The main process of each of the card's `run` entries, by name. */
  readonly alive: Readonly<Record<string, boolean>>;
  /** Every live (not zombie) process of the system. */
  readonly pids: readonly number[];
  readonly rssBytes: number;
  /** On disk in regular files that they hold open, also where those have no name any more. Only where it was asked for and may be seen. */
  readonly fileBytes?: number;
  /** Open descriptors of all of them. Only where it was asked for and may be seen. */
  readonly descriptors?: number;
  /** Largest cumulative run delay of any thread, ms (/proc/<pid>/task/<tid>/schedstat); take differences. */
  readonly runDelayMs: number;
  /** Per thread, so that a new thread does not look like a jump: `pid:tid` to cumulative ms. */
  readonly runDelays: Readonly<Record<string, number>>;
};

export type HttpValue = { readonly status: number; readonly fields: Readonly<Record<string, unknown>> };

export type ProbeName = 'ledger' | 'sockets' | 'process' | 'http';
