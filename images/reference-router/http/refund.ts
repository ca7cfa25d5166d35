// POST /refund: pays out what is available, after giving back what has become stale on this account.
// An abandoned reservation must not need the background sweep to have run.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../log.ts';
import type { Services } from '../services.ts';
import type { Sweeper } from '../sweeper.ts';
import { answer, keyHashOf } from './body.ts';

export const handleRefund = async (
  services: Services, sweeper: Sweeper, request: IncomingMessage, response: ServerResponse,
): Promise<void> => {
  const { behaviour, config, ledger, log } = services;
  request.resume();
  const keyHash = keyHashOf(request);
  if (keyHash === null) return answer(response, 401, { detail: 'Send the key as a bearer token.' });
  try {
    const account = await ledger.call('find', { keyHash }, config.limits.settle);
    if (account === null) return answer(response, 401, { detail: 'This key is not known.' });
    if (behaviour.sweepsBeforeRefund) await sweeper.sweep(account);
    const result = await ledger.call('refund', { keyHash, evenIfReserved: behaviour.refundsReserved }, config.limits.settle);
    if (result.outcome === 'refunded') {
      log('info', 'refunded', { account, amount: result.amount });
      return answer(response, 200, { refunded: result.amount });
    }
    const reserved = result.outcome === 'reserved' ? result : { reserved: 0, active: 0 };
    log('info', 'refund-refused', { account, reserved: reserved.reserved, active: reserved.active });
    const detail = `Nothing can be refunded yet: ${reserved.reserved} is held for ${reserved.active} unsettled request(s).`;
    answer(response, 400, { detail });
  } catch (error) {
    log('error', 'refund-failed', { error: messageOf(error) });
    answer(response, 503, { detail: 'The ledger cannot be reached, try again.' });
  }
};
