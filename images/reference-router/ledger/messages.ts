// What main loop and ledger worker say to each other.
import type { OperationName } from './operations.ts';

/** `openUntilMs` is a moment of the monotonic clock, which all threads share. */
export type WorkerInput = { readonly path: string; readonly openUntilMs: number; readonly instance: string; readonly leaseMs: number };

/** `untilMs`, of the same clock: from then on a locked ledger is an answer, not a reason to wait. */
export type Request = { readonly id: number; readonly name: OperationName; readonly input: unknown; readonly untilMs: number };

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly busy: boolean; readonly error: string };
