// The contract of a client's verb. A step has up to two halves: `act` runs in the client's own
// process, on its socket; `perform` runs in the harness, for what needs the whole stage.
import type { Options } from '../model/fields.ts';
import type { Facts } from '../model/facts.ts';
import type { LiveTimeline } from '../model/live.ts';
import type { Definition } from '../model/registry.ts';
import type { Session } from './session.ts';

/** The kernel's row of a client's own end, or `gone`; bytes that came and have not been read. */
export type SocketLook = { readonly local: string; readonly state: string; readonly unreadBytes: number };

/** not-seen: a wait ran out; the script goes on. failed: the step could not be done; the script ends. */
export type StepResult =
  | { readonly outcome: 'done'; readonly socket?: SocketLook }
  | { readonly outcome: 'not-seen' | 'failed'; readonly reason: string };

/** What the card says is to be sent for `request: <name>`, filled in for one exchange. */
export type OutgoingRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly marker: string;
};

/** What the harness half can reach. */
export type StepContext = {
  readonly client: string;
  readonly account: string | null;
  readonly facts: Facts;
  readonly timeline: LiveTimeline;
  /** The step's mark. A step that acts sets it just before; a step that waits, when the wait is over or has run out. */
  readonly mark: string | null;
  /** Runs the step's `act` in the client's process. */
  readonly act: (options: Options) => Promise<StepResult>;
  /**
   * Plans an exchange: allocates the marker, tells the upstream, fills the card's request in. The next
   * `act` carries it to the client's process, where the step finds it as the option `outgoing`.
   * @param isRepeat the marker of the client's latest request is used again @throws Error where there is none
   */
  readonly plan: (request: string, isRepeat?: boolean) => Promise<OutgoingRequest>;
  /** Marker of the client's latest exchange. */
  readonly marker: () => string | null;
  /** False when the others did not come in time. */
  readonly meet: (barrier: string) => Promise<boolean | void>;
  /** Takes the client's address away; nothing goes on the wire. */
  readonly removeAddress: () => Promise<void>;
  /** SIGKILL for the client's own process. */
  readonly kill: () => Promise<void>;
  readonly refund: () => Promise<StepResult>;
  /** Matches new lines of the system's log. */
  readonly awaitLog: (pattern: string, limitMs: number) => Promise<boolean>;
  readonly signal: AbortSignal;
};

/** A runtime without a namespace cannot do `vanish`; a card without a ledger has no renewals. */
export type Need = 'namespace' | 'ledger' | 'own-process';

export type StepDefinition = Definition & {
  readonly needs?: (options: Options) => readonly Need[];
  /**
   * Runs in the client's process. The step sets `mark` by `session.setMark`: just before it acts, or
   * when its wait is over. What `perform` hands to `context.act` arrives here as `options`.
   */
  readonly act?: (session: Session, options: Options, mark: string | null) => Promise<StepResult>;
  /** Runs in the harness. Without it the step is only its `act`. */
  readonly perform?: (context: StepContext, options: Options) => Promise<StepResult>;
};
