// Brings reservations to their terminal state. The first attempt is bounded; what it could not write
// down is owed, and tried again with every maintenance pass until it is in the ledger.
import type { SettleInput } from './ledger/settle.ts';
import { isLocked } from './ledger/client.ts';
import type { Ledger } from './ledger/client.ts';
import { messageOf } from './log.ts';
import type { Log } from './log.ts';

export type Settlements = {
  /** Resolves when the row is terminal or the bound has passed; never rejects. */
  readonly settle: (input: SettleInput) => Promise<void>;
  /** Tries everything that is owed once more. @returns false when the ledger was locked */
  readonly retry: () => Promise<boolean>;
  readonly owed: () => number;
};

export const createSettlements = (ledger: Ledger, boundMs: number, log: Log): Settlements => {
  const owed = new Map<string, SettleInput>();
  const attempt = async (input: SettleInput): Promise<'done' | 'locked' | 'failed'> => {
    try {
      const { settled, charged } = await ledger.call('settle', input, boundMs);
      owed.delete(input.id);
      // Not settled: somebody has released the row before, and what is released is never charged.
      log(settled ? 'info' : 'warning', settled ? 'settled' : 'settled-too-late', { reservation: input.id, reason: input.reason, charged });
      return 'done';
    } catch (error) {
      owed.set(input.id, input);
      log('error', 'settlement-failed', { reservation: input.id, reason: input.reason, error: messageOf(error) });
      return isLocked(error) ? 'locked' : 'failed';
    }
  };
  return {
    settle: async (input) => void (await attempt(input)),
    retry: async () => !(await Promise.all([...owed.values()].map(attempt))).includes('locked'),
    owed: () => owed.size,
  };
};
