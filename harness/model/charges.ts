// What one exchange was charged, as far as a ledger lets that be told: rows with its marker, else
// new rows of its account, else the growth of what the account has spent.
import { exchangesOf } from './exchanges.ts';
import type { Exchange } from './exchanges.ts';
import type { LedgerReading } from './leases.ts';
import { readingsOf } from './readings.ts';
import type { Timeline } from './timeline.ts';

export type Charged = { readonly id: string; readonly amount: number };

export type Charges = {
  readonly at: (reading: LedgerReading) => readonly Charged[];
  /** Whether a charge without a marker can be another exchange's of the same account. */
  readonly unclear: boolean;
};

const spentIn = (reading: LedgerReading, account: string | null): number =>
  reading.value.accounts.find(({ id }) => id === account)?.spent ?? 0;

/** Each growth of the total between two samples is taken as one charge. */
const growths = (readings: readonly LedgerReading[], account: string | null): readonly Charged[] =>
  readings.slice(1).flatMap((reading, index) => {
    const amount = spentIn(reading, account) - spentIn(readings[index]!, account);
    return amount === 0 ? [] : [{ id: `growth ${reading.ref}`, amount }];
  });

/** @param baseline the sample before the scenario's own exchanges: what it has is not charged to them */
export const chargesOf = (timeline: Timeline, exchange: Exchange, baseline: LedgerReading): Charges => {
  const readings = readingsOf(timeline, 'ledger').filter(({ atMs }) => atMs >= baseline.atMs);
  const known = new Set(baseline.value.charges?.map(({ id }) => id));
  const isOwn = (charge: { id: string; account: string; marker?: string }): boolean =>
    charge.marker === undefined ? charge.account === exchange.account && !known.has(charge.id) : charge.marker === exchange.marker;
  const byMarker = readings.every(({ value }) => value.charges?.every(({ marker }) => marker !== undefined) ?? false);
  const sharing = exchangesOf(timeline).filter(({ account }) => account === exchange.account);
  return {
    at: (reading) =>
      reading.value.charges?.filter(isOwn).map(({ id, amount }) => ({ id, amount })) ??
      growths(
        readings.filter(({ atMs }) => atMs <= reading.atMs),
        exchange.account,
      ),
    unclear: !byMarker && sharing.length > 1,
  };
};
