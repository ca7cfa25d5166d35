// One client in its own process: its connection, what it has received, and what it says about itself.
import type { Emit } from '../model/actor.ts';
import type { OutgoingRequest } from './step.ts';

/** The raw connection (node:net) and the incremental HTTP/1.1 reader over it. Grown by connection.ts. */
export type Session = {
  readonly client: string;
  readonly localAddress: string;
  readonly system: { readonly address: string; readonly port: number };
  readonly emit: Emit;
  /** Sends a request on the current connection, or a new one, and starts reading. */
  readonly send: (request: OutgoingRequest) => Promise<void>;
  /** Marker of the latest request. */
  readonly marker: string | null;
  /** Totals of the latest answer. */
  readonly received: { readonly bytes: number; readonly events: number; readonly status: number | null; readonly ended: boolean };
  /** Resolves true when the condition on the latest answer holds, false when `limitMs` runs out. */
  readonly until: (condition: (session: Session) => boolean, limitMs: number) => Promise<boolean>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Puts FIN, RST or half a close on the wire; `mark` is set just before. Resolves when the socket shows it. */
  readonly leave: (how: 'fin' | 'rst' | 'half-close', mark: string | null) => Promise<void>;
  readonly setMark: (mark: string) => void;
  readonly destroy: () => void;
};
