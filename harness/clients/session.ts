// One client in its own process: its connection, what it has received, and what it says about itself.
import type { Emit } from '../model/actor.ts';
import type { CloseHow, FactOf } from '../model/observation.ts';
import type { OutgoingRequest, SocketLook } from './step.ts';

/** Ways of leaving that are acts on the client's own socket. */
export type LeaveHow = 'fin' | 'rst' | 'half-close';

/** Totals of the latest answer. */
export type Received = {
  readonly bytes: number;
  readonly events: number;
  readonly status: number | null;
  readonly ended: boolean;
};

/** The raw connection (node:net) and the incremental HTTP/1.1 reader over it; made by client-session.ts. */
export type Session = {
  readonly client: string;
  readonly localAddress: string;
  readonly system: { readonly address: string; readonly port: number };
  readonly emit: Emit;
  /** Sends a request on the current connection if it is free, else on a new one. Rejects when it cannot connect. */
  readonly send: (request: OutgoingRequest) => Promise<void>;
  /** Marker of the latest request. */
  readonly marker: string | null;
  readonly received: Received;
  readonly isPaused: boolean;
  /** How the system ended the latest connection, once the client has read that. */
  readonly peerClosed: CloseHow | null;
  /** Resolves true when the condition on the latest answer holds, false when `limitMs` runs out. */
  readonly until: (condition: (session: Session) => boolean, limitMs: number) => Promise<boolean>;
  /** Stops reading; before the first request, the answer to it is never read. */
  readonly pause: () => void;
  readonly resume: () => void;
  /**
   * Puts FIN, RST or half a close on the wire; `mark` is set just before. Resolves when the socket shows it,
   * with what really went out. Rejects when there has been no connection.
   */
  readonly leave: (how: LeaveHow, mark: string | null) => Promise<FactOf<'left'>>;
  /** Tells the totals, and how the kernel has the socket. */
  readonly look: () => SocketLook;
  /** The client has gone without an act on its socket: nothing that comes later is told. */
  readonly noteVanished: (before: SocketLook) => void;
  /** Tells the totals, then the mark, so that what had been received at the mark is on record. */
  readonly setMark: (mark: string) => void;
  readonly destroy: () => void;
};
