// Whether somebody was there to release what nobody serves any more. It has to become stale and be swept: who was ended or
// stopped by a fault sweeps nothing, and who ended with it in hand knows nothing of it when it is started again.
import { exchangesOf } from '../../model/exchanges.ts';
import type { Exchange } from '../../model/exchanges.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import { instanceOf } from './instances.ts';
import { payersOf } from './ledger.ts';
import { attendedFromMs, lastAbsenceMs } from './outage.ts';
import { unlessStarved } from './starved.ts';
import { faultEnded } from './stopping.ts';
import type { View } from './view.ts';

/**
 * Objects where nobody had the occasion by then.
 * @param what what was not done: `alice's exchange was not released`
 * @param orphanedMs since when it is another's to do; minus infinity: it never was
 */
export const noOccasion = (view: View, what: string, orphanedMs: number, toMs = view.endMs): Finding | null => {
  if (orphanedMs === -Infinity) return null;
  const fromMs = attendedFromMs(view, { fromMs: orphanedMs, toMs });
  if (fromMs === Infinity) return inconclusive(`${what}, but a fault had ended or stopped whoever could have done it`);
  const { leaseMs = 0, sweepMs = 0 } = view.facts.periods;
  const leftMs = toMs - fromMs;
  return leftMs > leaseMs + sweepMs + view.facts.marginMs
    ? null
    : inconclusive(`${what}, but could be for ${formatMs(Math.max(0, leftMs))} only, a lease and a sweep take ${formatMs(leaseMs + sweepMs)}`);
};

/**
 * Of what was not settled nobody is accused whom a fault had ended with it in hand; a stop that the scenario tests is no such fault.
 * @param lateMs when it was too late for certain: what a fault did after that excuses nothing
 */
export const unlessOrphaned = (view: View, finding: Finding, { client, planned }: Exchange, process: string, lateMs: number): Finding => {
  if (finding.outcome !== 'violated') return finding;
  const toMs = finding.interval?.toMs ?? view.endMs;
  const outage = faultEnded(view, process, { fromMs: planned.atMs, toMs: lateMs });
  return (outage && noOccasion(view, `${client}'s exchange was not settled`, outage.sent.atMs, toMs)) ?? finding;
};

/** Since when the last of it is another's to release: a fault ended or stopped an instance that served for the account. What a fault wrote, asking may have to clear. */
const orphanedMs = (view: View, account: string): number => {
  const served = exchangesOf(view.timeline).filter((each) => each.account !== null && [each.account, ...payersOf(view, each.account)].includes(account));
  return Math.max(-Infinity, ...served.map((exchange) => lastAbsenceMs(view, instanceOf(view, exchange).process)));
};

/**
 * That an account has too much reserved is nobody's doing who was kept from releasing it: ended or stopped by a fault, or
 * starved. Of a scenario that stops the system that it was stopped is what is tested.
 */
export const unlessUnreleasable = (view: View, finding: Finding, account: string, endMs = view.endMs): Finding => {
  if (finding.outcome !== 'violated') return finding;
  const kept = view.facts.stopsAt === null ? noOccasion(view, `what is reserved for account ${account} was not released`, orphanedMs(view, account), endMs) : null;
  return kept ?? unlessStarved(view, finding, undefined, endMs);
};
