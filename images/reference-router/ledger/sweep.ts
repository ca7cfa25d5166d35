// Gives back what nobody renews any more, whoever reserved it. Each row is a transaction of its own:
// one that cannot be released must not hold up the others.
import type { DatabaseSync } from 'node:sqlite';
import { createLook } from './look.ts';
import type { Active, Residue } from './look.ts';
import type { Place } from './place.ts';
import { createRelease, createRepair } from './release.ts';
import { isBusy } from './schema.ts';

export type SweepPolicy = {
  /** What tells that a reservation is over: its lease; that, but never one in the future; or when it was started. */
  readonly staleBy: 'lease' | 'lease-unless-future' | 'start';
  readonly onError: 'go-on' | 'stop';
  /** Whether an aggregate without a row and without a time goes back in the background as well, or only when a refund asks. */
  readonly withoutTime: 'always' | 'refund-only';
  /** What becomes of an aggregate without a row that is younger than a lease. */
  readonly recent: 'keep' | 'clear';
};

export const cleanSweepPolicy: SweepPolicy = { staleBy: 'lease', onError: 'go-on', withoutTime: 'always', recent: 'keep' };

export type SweepInput = {
  /** Only what this account pays for, because it asks for a refund; null: everything, in the background. */
  readonly payer: string | null;
  readonly policy: SweepPolicy;
};
export type SweepResult = {
  readonly released: readonly { readonly id: string; readonly payer: string }[];
  /** Accounts whose aggregate held more than their active rows explain. */
  readonly repaired: readonly string[];
  readonly failed: readonly { readonly id: string; readonly error: string }[];
};

/** One after the other; a failure is noted, and ends the pass only where the policy says so. */
const eachAlone = <T extends { readonly id: string }>(
  items: readonly T[], work: (item: T) => boolean, policy: SweepPolicy, failed: { id: string; error: string }[],
): readonly T[] =>
  items.filter((item) => {
    try {
      return work(item);
    } catch (error) {
      if (isBusy(error) || policy.onError === 'stop') throw error;
      failed.push({ id: item.id, error: error instanceof Error ? error.message : String(error) });
      return false;
    }
  });

export const createSweep = (database: DatabaseSync, place: Place) => {
  const { clocks, leaseMs, instances } = place;
  const look = createLook(database, place);
  const release = createRelease(database, clocks.wallMs);
  const repair = createRepair(database);
  const isStale = (row: Active, { staleBy }: SweepPolicy): boolean => {
    const now = clocks.wallMs();
    if (staleBy === 'start') return row.started_at < now - leaseMs;
    if (staleBy === 'lease-unless-future' && row.lease_at > now) return false;
    // Wall time alone is believed only where nobody can be there whose clock differs.
    return (row.owned === 0 && row.lease_at < now - leaseMs) || place.leases.stillMs(row.id) >= leaseMs;
  };
  const isOver = (residue: Residue, { payer, policy }: SweepInput): boolean => {
    const { id, reserved_at: at } = residue;
    const now = clocks.wallMs();
    if (at === null) return policy.withoutTime === 'always' || payer !== null;
    return policy.recent === 'clear' || at < now - leaseMs || (at > now && place.residues.stillMs(id) >= leaseMs);
  };
  const sweep = (input: SweepInput): SweepResult => {
    const { payer, policy } = input;
    const failed: { id: string; error: string }[] = [];
    const stale = look.all().filter((row) => (payer === null || row.payer === payer) && isStale(row, policy));
    const released = eachAlone(stale, (row) => release(row, failed), policy, failed).map((row) => ({ id: row.id, payer: row.payer }));
    const over = look.residuesNow().filter((residue) => (payer === null || residue.id === payer) && isOver(residue, input));
    const repaired = eachAlone(over, repair, policy, failed).map((residue) => residue.id);
    if (payer === null) instances.tidy();
    return { released, repaired, failed };
  };
  return { sweep, look: (): null => (look.all(), null) };
};
