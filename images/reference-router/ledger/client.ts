// The ledger as the main loop sees it: promises with a limit. A call ends when the ledger answers or
// when its time is over, whichever comes first; never later.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { monotonicMs } from './clocks.ts';
import type { Reply, Request, WorkerInput } from './messages.ts';
import type { InputOf, OperationName, ResultOf } from './operations.ts';

export type Ledger = {
  /**
   * @param limitMs how long a locked ledger is waited for
   * @throws Error when it stayed locked, or the operation failed; a call that timed out may still take effect
   */
  readonly call: <N extends OperationName>(name: N, input: InputOf<N>, limitMs: number) => Promise<ResultOf<N>>;
  /** Calls that have no answer yet. */
  readonly pending: () => number;
  /** Closes the file and ends the thread; resolves by the limit in any case. */
  readonly close: (limitMs: number) => Promise<void>;
  /** Resolves with the reason when the thread ends without having been asked to. */
  readonly failed: Promise<string>;
};

type Waiter = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

// The worker notices the end of its time between two attempts; what is later than this is a disk that hangs.
const SLACK_MS = 250;

const ledgerError = (message: string, isLocked: boolean): Error => Object.assign(new Error(message), { isLocked });

/** Whether a call failed because the ledger could not be reached in time, and may succeed later. */
export const isLocked = (error: unknown): boolean => error instanceof Error && 'isLocked' in error && error.isLocked === true;

const createPending = () => {
  const waiters = new Map<number, Waiter>();
  const settle = (id: number, use: (waiter: Waiter) => void): void => {
    const waiter = waiters.get(id);
    waiters.delete(id);
    if (waiter) use(waiter);
  };
  const add = (id: number, limitMs: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => settle(id, (waiter) => waiter.reject(ledgerError('the ledger did not answer in time', true)));
      const timer = setTimeout(giveUp, limitMs);
      const done = <T>(use: (value: T) => void) => (value: T): void => {
        clearTimeout(timer);
        use(value);
      };
      waiters.set(id, { resolve: done(resolve), reject: done(reject) });
    });
  return { add, settle, size: () => waiters.size, ids: () => [...waiters.keys()] };
};

const workerFile = (): URL => new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

/**
 * Opens the ledger in a thread of its own; resolves when tables and journal mode are there.
 * @param owner who reserves, and for how long a lease is valid
 * @throws Error when the file cannot be opened within the limit
 */
export const openLedgerClient = async (
  path: string, limitMs: number, owner: { readonly instance: string; readonly leaseMs: number },
): Promise<Ledger> => {
  const input: WorkerInput = { path, openUntilMs: monotonicMs() + limitMs, ...owner };
  const worker = new Worker(workerFile(), { workerData: input });
  const pending = createPending();
  const failure = Promise.withResolvers<string>();
  const exited = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let nextId = 1;
  let closing = false;
  worker.on('message', (message: Reply) => {
    if (message.kind === 'ready') ready.resolve();
    if (message.kind === 'result') pending.settle(message.id, (waiter) => waiter.resolve(message.result));
    if (message.kind === 'failed') pending.settle(message.id, (waiter) => waiter.reject(ledgerError(message.error, message.busy)));
  });
  const fail = (why: string): void => {
    ready.reject(new Error(why));
    for (const id of pending.ids()) pending.settle(id, (waiter) => waiter.reject(new Error(why)));
    if (!closing) failure.resolve(why);
  };
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', () => {
    fail('the thread of the ledger has ended');
    exited.resolve();
  });
  const call = <N extends OperationName>(name: N, value: InputOf<N>, callLimitMs: number): Promise<ResultOf<N>> => {
    const id = nextId++;
    const request: Request = { id, name, input: value, untilMs: monotonicMs() + callLimitMs };
    const result = pending.add(id, callLimitMs + SLACK_MS);
    worker.postMessage(request);
    return result as Promise<ResultOf<N>>;
  };
  const close = async (closeLimitMs: number): Promise<void> => {
    closing = true;
    worker.postMessage('close');
    const timer = setTimeout(() => void worker.terminate(), closeLimitMs);
    await exited.promise;
    clearTimeout(timer);
  };
  await ready.promise;
  return { call, pending: pending.size, close, failed: failure.promise };
};
