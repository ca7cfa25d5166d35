// What changed in the books between two looks: money, reservations and their leases, charges. The first question about a
// reservation that is still held is whether it is being renewed, or stale and not released: both are told of each.
import { livesIn, renewalsOf } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Account, Charge, LedgerValue, Reservation } from '../../model/samples.ts';
import type { Timeline } from '../../model/timeline.ts';

/** Null where it was not there. */
export type Pair<T> = { readonly id: string; readonly from: T | null; readonly to: T | null };

export type ReservationChange = Pair<Reservation> & {
  /** How far its lease time moved; null where it has none, or was not in both. */
  readonly leaseMovedMs: number | null;
  /** How often the lease was seen to move forward in between while the row was live. */
  readonly renewals: number;
  /** How old its lease was at the second look, by the ledger's own clock; negative: it lies ahead. */
  readonly leaseAgeMs: number | null;
};

export type LedgerDiff = {
  /** Those that differ. */
  readonly accounts: readonly Pair<Account>[];
  /** Those that differ, and those that were still live at the second look. */
  readonly reservations: readonly ReservationChange[];
  /** Those that differ. */
  readonly charges: readonly Pair<Charge>[];
  /** Both were read in one transaction: only then do parts of one look fit each other. */
  readonly isConsistent: boolean;
};

const pairsOf = <T extends { readonly id: string }>(from: readonly T[], to: readonly T[]): readonly Pair<T>[] => {
  const [before, after] = [from, to].map((rows) => new Map(rows.map((row) => [row.id, row])));
  return [...new Set([...before!.keys(), ...after!.keys()])].map((id) => ({ id, from: before!.get(id) ?? null, to: after!.get(id) ?? null }));
};

const differs = ({ from, to }: Pair<unknown>): boolean => JSON.stringify(from) !== JSON.stringify(to);

const isLive = ({ to }: Pair<Reservation>): boolean => to !== null && !to.terminal;

/** @param window between the two looks, in ms of the run */
export const diffLedger = (
  from: LedgerValue,
  to: LedgerValue,
  timeline: Timeline,
  window: { readonly fromMs: number; readonly toMs: number },
): LedgerDiff => {
  const inside = readingsOf(timeline, 'ledger').filter(({ atMs }) => atMs >= window.fromMs && atMs <= window.toMs);
  const renewals = new Map(livesIn(inside).map((life) => [life.id, renewalsOf(life).length]));
  const reservations = pairsOf(from.reservations, to.reservations)
    .filter((pair) => differs(pair) || isLive(pair))
    .map((pair): ReservationChange => {
      const [before, after] = [pair.from?.leaseAtMs, pair.to?.leaseAtMs];
      return {
        ...pair,
        leaseMovedMs: before === undefined || after === undefined ? null : after - before,
        renewals: renewals.get(pair.id) ?? 0,
        leaseAgeMs: after === undefined ? null : to.wallMs - after,
      };
    });
  return {
    accounts: pairsOf(from.accounts, to.accounts).filter(differs),
    reservations,
    charges: pairsOf(from.charges ?? [], to.charges ?? []).filter(differs),
    isConsistent: from.consistent && to.consistent,
  };
};
