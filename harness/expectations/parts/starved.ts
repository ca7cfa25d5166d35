// A system that had no processor neither renews nor sweeps in time: what it is then accused of about leases
// is not said. Only the time before the accusation matters, so that a noisy hour clears nobody for good.
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { ledgerOutagesOf } from './outage.ts';
import { systemWasFed } from './trust.ts';
import { withHindsight } from './view.ts';
import type { View } from './view.ts';

/**
 * @param process the instance that should have acted, where it is known
 * @param untilMs end of the time in which it should have acted; it begins two leases before what was violated
 */
export const unlessStarved = (view: View, finding: Finding, process?: string, untilMs = finding.interval?.fromMs ?? view.endMs): Finding => {
  const { leaseMs } = view.facts.periods;
  if (finding.outcome !== 'violated' || leaseMs === undefined) return finding;
  const fromMs = (finding.interval?.fromMs ?? view.endMs) - 2 * leaseMs;
  return systemWasFed(withHindsight(view), { fromMs, toMs: untilMs }, leaseMs, process) ?? finding;
};

/** Objects where a fault still kept the system from its ledger at that time: it could settle and release nothing. */
export const keptFromLedger = ({ timeline }: View, endMs: number): Finding | null => {
  const outage = ledgerOutagesOf(timeline).find(({ fromMs, toMs }) => fromMs <= endMs && toMs >= endMs);
  return outage ? inconclusive(`a fault kept the system from its ledger from ${formatMs(outage.fromMs)} to the end`) : null;
};

/** Nor of a system that a fault kept from its ledger for more than a third of a lease: it could renew nothing. */
export const unlessKeptFromLedger = (view: View, finding: Finding): Finding => {
  const { leaseMs } = view.facts.periods;
  if (finding.outcome !== 'violated' || leaseMs === undefined) return finding;
  const toMs = finding.interval?.fromMs ?? view.endMs;
  const outage = ledgerOutagesOf(view.timeline).find((gap) => Math.min(gap.toMs, toMs) - Math.max(gap.fromMs, toMs - 2 * leaseMs) > leaseMs / 3);
  return outage
    ? inconclusive(`a fault kept the system from its ledger from ${formatMs(outage.fromMs)} on, for more than a third of a lease of ${formatMs(leaseMs)}`)
    : finding;
};
