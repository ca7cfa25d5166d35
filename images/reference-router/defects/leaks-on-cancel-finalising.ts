// The settlement belongs to the task of the request, which is cancelled when its client leaves. It only
// shows where the settlement takes its time: while the ledger is locked.
import type { Exchange } from '../exchange/exchange.ts';
import type { Defect } from './defect.ts';
import { leakWhen } from './leak.ts';

const ATTEMPT_MS = 50;

/** Waits for the ledger as long as the client does. @returns false when the client left first */
const ledgerIsFreeBeforeLeave = async ({ downstream, services }: Exchange): Promise<boolean> => {
  do {
    const attempt = services.ledger.call('renew', { ids: [], maximumAgeMs: 0 }, ATTEMPT_MS);
    if (await attempt.then(() => true, () => false)) return true;
  } while (!downstream.hasLeft());
  return false;
};

export const defect: Defect = {
  name: 'leaks-on-cancel-finalising',
  about: 'a client that leaves while its settlement waits for the ledger leaves its reservation active, and renewed',
  apply: (behaviour) => {
    const leaking = leakWhen(behaviour, () => true);
    return {
      ...leaking,
      settle: async (exchange, reason, settle) => {
        const { upstreamEnded, usage, leftAtMs } = exchange.facts;
        // The usage is the last thing that an upstream says, whether it ends the message or not.
        const isFinalising = (upstreamEnded || usage !== null) && leftAtMs === null;
        const isCancelled = isFinalising && !(await ledgerIsFreeBeforeLeave(exchange));
        await (isCancelled ? leaking : behaviour).settle(exchange, reason, settle);
      },
    };
  },
};
