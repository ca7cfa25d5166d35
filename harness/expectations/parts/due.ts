// Whether a bound of the card is just due at a moment: what the system then ends, or lets go of, it may have had to.
import type { BoundName } from '../../model/facts.ts';
import type { Exchange } from '../../model/exchanges.ts';
import { isFinding } from './finding.ts';
import { originOf } from './origin.ts';
import type { View } from './view.ts';

const FROM_REQUEST: readonly BoundName[] = ['lifetime', 'age'];
const FROM_LIFE: readonly BoundName[] = ['read', 'progress'];

/** @param livedMs the last sign of life that the upstream gave before it */
export const isBoundDue = (view: View, exchange: Exchange, livedMs: number, atMs: number): boolean => {
  const { bounds, marginMs } = view.facts;
  const isNear = (bound: BoundName, fromMs: number | undefined): boolean =>
    bounds[bound] !== undefined && fromMs !== undefined && Math.abs(atMs - fromMs - bounds[bound]) <= 2 * marginMs;
  const blocked = bounds.send === undefined ? null : originOf(view, 'send', exchange, bounds.send);
  return (
    FROM_REQUEST.some((bound) => isNear(bound, exchange.written?.atMs)) ||
    FROM_LIFE.some((bound) => isNear(bound, livedMs)) ||
    (blocked !== null && !isFinding(blocked) && isNear('send', blocked.atMs))
  );
};
