// What lasts for a while: done, waited for, and undone whatever comes between, so that no fault outlives its time.
import { formatMs } from '../model/time.ts';
import type { FaultContext } from './fault.ts';

/**
 * @param begin resolves when it has taken hold; where it throws, nothing was done
 * @returns the time in words
 * @throws what `begin` or `end` throw; Error where the run was ended before the time was over
 */
export const holdFor = async (
  { timeline, signal }: Pick<FaultContext, 'timeline' | 'signal'>,
  forMs: number,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<string> => {
  signal.throwIfAborted();
  await begin();
  try {
    await timeline.waitFor(() => undefined, forMs, signal);
  } finally {
    await end();
  }
  if (signal.aborted) throw new Error(`undone before its ${formatMs(forMs)} were over: the run was ended`);
  return formatMs(forMs);
};

/** What the probes' process does to the ledger from beside the system, under the kind of the fault. */
export const holdLedger = async (context: FaultContext, fault: string, forMs: number): Promise<string> => {
  const { ledgerPath: path, beside } = context;
  if (path === null) throw new Error('the card has no ledger');
  return holdFor(context, forMs, () => beside('ledger-hold', { fault, path }), () => beside('ledger-let-go', { fault }));
};
