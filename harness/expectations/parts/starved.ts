// A system that had no processor neither renews nor sweeps in time: what it is then accused of about leases
// is not said. Only the time before the accusation matters, so that a noisy hour clears nobody for good.
import type { Finding } from '../../model/verdict.ts';
import { systemWasFed } from './trust.ts';
import type { View } from './view.ts';

/**
 * @param process the instance that should have acted, where it is known
 * @param untilMs end of the time in which it should have acted; it begins two leases before what was violated
 */
export const unlessStarved = (view: View, finding: Finding, process?: string, untilMs = finding.interval?.fromMs ?? view.endMs): Finding => {
  const { leaseMs } = view.facts.periods;
  if (finding.outcome !== 'violated' || leaseMs === undefined) return finding;
  const fromMs = (finding.interval?.fromMs ?? view.endMs) - 2 * leaseMs;
  return systemWasFed(view, { fromMs, toMs: untilMs }, leaseMs, process) ?? finding;
};
