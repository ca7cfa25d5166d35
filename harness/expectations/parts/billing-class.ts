// What kind of billing violation it is, as seed 003 reads two snapshots of an account.
import { livesIn, renewalsOf } from '../../model/leases.ts';
import type { LedgerReading, Life, RowReading } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Reservation } from '../../model/samples.ts';
import { accountIn } from './ledger.ts';
import type { View } from './view.ts';

export type BillingClass =
  | 'renewing'
  | 'stale but unswept'
  | 'aggregate without a row'
  | 'future lease'
  | 'some stale, some fresh'
  | 'aggregate and rows drifted apart';

/** Amounts may be fractions of a unit. */
export const differs = (a: number, b: number): boolean => Math.abs(a - b) > 1e-6;

export const liveRowsOf = (reading: LedgerReading, account: string | null): readonly Reservation[] =>
  reading.value.reservations.filter((row) => row.payer === account && !row.terminal);

export const sumOf = (rows: readonly Reservation[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);

/** How often the lease moved after that time, in samples that both began later. */
export const renewalsAfter = (life: Life, fromMs: number): readonly { readonly from: RowReading; readonly to: RowReading }[] =>
  renewalsOf(life).filter(({ from }) => from.reading.beganMs >= fromMs);

/** @param fromMs renewals count from here, and at least for one lease: what was not renewed in that long is stale */
export const billingClassOf = (
  view: Pick<View, 'timeline'> & { readonly facts: Pick<View['facts'], 'periods'> },
  account: string | null,
  reading: LedgerReading,
  fromMs: number,
): BillingClass | undefined => {
  const live = liveRowsOf(reading, account);
  const leaseMs = view.facts.periods.leaseMs ?? Infinity;
  const ageMs = (row: Reservation): number => reading.value.wallMs - (row.leaseAtMs ?? reading.value.wallMs);
  const stale = live.filter((row) => ageMs(row) > leaseMs);
  if (live.length === 0) return 'aggregate without a row';
  if (live.some((row) => ageMs(row) < -leaseMs)) return 'future lease';
  if (stale.length === live.length) return 'stale but unswept';
  if (stale.length > 0) return 'some stale, some fresh';
  const ids = new Set(live.map(({ id }) => id));
  const sinceMs = Math.min(fromMs, reading.atMs - leaseMs);
  const isRenewing = livesIn(readingsOf(view.timeline, 'ledger')).some(
    (life) => ids.has(life.id) && renewalsAfter(life, sinceMs).length > 0,
  );
  if (isRenewing) return 'renewing';
  return differs(accountIn(reading, account)?.reserved ?? 0, sumOf(live)) ? 'aggregate and rows drifted apart' : undefined;
};

/** For a finding: nothing where no class fits. */
export const withClass = (found: BillingClass | undefined): { readonly class?: string } => (found === undefined ? {} : { class: found });
