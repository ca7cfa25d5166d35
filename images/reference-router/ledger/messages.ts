// What main loop and ledger worker say to each other.
import type { OperationName } from './operations.ts';

export type WorkerInput = { readonly path: string; readonly openUntilMs: number };

/** `untilMs` is epoch ms: from then on a locked ledger is an answer, not a reason to wait. */
export type Request = { readonly id: number; readonly name: OperationName; readonly input: unknown; readonly untilMs: number };

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly busy: boolean; readonly error: string };
