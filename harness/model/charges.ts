// What one exchange was charged, as far as a ledger lets that be told: rows with its marker, else
// new rows of its account, else the growth of what the account has spent.
import { allExchanges, exchangesOf } from './exchanges.ts';
import type { Exchange } from './exchanges.ts';
import type { LedgerReading } from './leases.ts';
import { readingsOf } from './readings.ts';
import type { Charge } from './samples.ts';
import type { Timeline } from './timeline.ts';

/** `account`: who was charged, where there is a row that says so. */
export type Charged = { readonly id: string; readonly amount: number; readonly account?: string };

export type Charges = {
  readonly at: (reading: LedgerReading) => readonly Charged[];
  /** What else a charge without a marker may be, in words; null: it is the exchange's. */
  readonly unclear: "another exchange's" | 'what a refund paid out' | null;
  /** Each bears a marker: no other money of the account can be taken for a charge. */
  readonly isMarked: boolean;
};

const spentIn = (reading: LedgerReading, account: string | null): number =>
  reading.value.accounts.find(({ id }) => id === account)?.spent ?? 0;

/**
 * Each growth of the total between two samples is taken as one charge; but what grows while the exchange is
 * under way, and the first that comes after it, is one that is booked as it goes.
 */
const growths = (readings: readonly LedgerReading[], account: string | null, endMs: number): readonly Charged[] => {
  const steps = readings.slice(1).flatMap((reading, index) => {
    const amount = spentIn(reading, account) - spentIn(readings[index]!, account);
    return amount === 0 ? [] : [{ reading, id: `growth ${reading.ref}`, amount }];
  });
  const after = steps.findIndex(({ reading }) => reading.beganMs >= endMs);
  const asItGoes = after < 0 ? steps.length : after;
  const first = asItGoes === 0 ? [] : steps.slice(0, asItGoes + 1);
  const merged = first.length === 0 ? [] : [{ id: first[0]!.id, amount: first.reduce((sum, { amount }) => sum + amount, 0) }];
  return [...merged, ...steps.slice(first.length).map(({ id, amount }) => ({ id, amount }))];
};

/** Whether the preparation's own exchange of the account may be charged only after the baseline. */
const isPreparationOwed = (timeline: Timeline, { account }: Exchange, baseline: LedgerReading): boolean => {
  const prepared = allExchanges(timeline).filter(({ planned }) => planned.purpose === 'prepare' && planned.account === account).length;
  if (prepared === 0) return false;
  const { charges } = baseline.value;
  if (charges) return charges.filter((charge) => charge.account === account).length < prepared;
  const first = readingsOf(timeline, 'ledger')[0] ?? baseline;
  return spentIn(baseline, account) === spentIn(first, account);
};

/** What a refund pays out may be booked as spent too. Only one that was refused surely paid nothing. */
const isRefunded = (timeline: Timeline, accounts: readonly (string | null)[], fromMs: number): boolean =>
  timeline.of('refund').some(({ account, verdict, status, atMs }) => accounts.includes(account) && verdict !== 'refused' && status !== null && atMs >= fromMs);

/** Whose balance backs what this account asks for: by its rows, else its own. */
const payerOf = (readings: readonly LedgerReading[], account: string | null): string | null => {
  for (const { value } of readings.toReversed()) {
    const row = value.reservations.find((each) => each.account === account);
    if (row) return row.payer;
  }
  return account;
};

/** @param baseline the sample before the scenario's own exchanges: what it has is not charged to them */
export const chargesOf = (timeline: Timeline, exchange: Exchange, baseline: LedgerReading): Charges => {
  const readings = readingsOf(timeline, 'ledger').filter(({ atMs }) => atMs >= baseline.atMs);
  const payer = payerOf(readings, exchange.account);
  const known = new Set(baseline.value.charges?.map(({ id }) => id));
  const isOwn = (charge: Charge): boolean =>
    charge.marker === undefined ? charge.account === payer && !known.has(charge.id) : charge.marker === exchange.marker;
  const isUnmarked = (charge: Charge): boolean => charge.marker === undefined && isOwn(charge);
  const isMarked = readings.every(({ value }) => value.charges !== undefined && !value.charges.some(isUnmarked));
  const sharing = new Set(exchangesOf(timeline).flatMap(({ account, marker }) => (payerOf(readings, account) === payer ? [marker] : [])));
  const whatElse = (): Charges['unclear'] => {
    if (sharing.size > 1 || isPreparationOwed(timeline, exchange, baseline)) return "another exchange's";
    return isRefunded(timeline, [payer, exchange.account], baseline.atMs) ? 'what a refund paid out' : null;
  };
  const endMs = Math.min(exchange.ended?.atMs ?? Infinity, exchange.left?.atMs ?? Infinity);
  return {
    at: (reading) =>
      reading.value.charges?.filter(isOwn).map(({ id, amount, account }) => ({ id, amount, account })) ??
      growths(
        readings.filter(({ atMs }) => atMs <= reading.atMs),
        payer,
        endMs,
      ),
    unclear: isMarked ? null : whatElse(),
    isMarked,
  };
};
