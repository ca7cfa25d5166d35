// What faults added to the ledger: rows that nobody owns, and totals without a row. Neither is ever part of
// the baseline, also where they were written before the system was started.
import type { LedgerReading } from '../../model/leases.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Reservation } from '../../model/samples.ts';
import type { Finding } from '../../model/verdict.ts';
import { liveRowsOf, sumOf } from './billing-class.ts';
import { inconclusive } from './finding.ts';
import { accountIn } from './ledger.ts';
import type { View } from './view.ts';

export type Seeded = {
  /** Those whose amount is part of the account's total: they can be released. */
  readonly rows: readonly string[];
  /** Those whose amount never was. */
  readonly orphans: readonly string[];
  readonly aggregates: readonly ObservationOf<'ledger-aggregate'>[];
  readonly evidence: readonly string[];
  /** When the first of all was written, and the last of what can be released. */
  readonly firstMs: number;
  readonly writtenMs: number;
};

/** What was added to one account. */
export const seededOf = ({ timeline }: View, account: string | null): Seeded => {
  const written = timeline.of('ledger-rows').filter((rows) => rows.account === account);
  const aggregates = timeline.of('ledger-aggregate').filter((aggregate) => aggregate.account === account);
  const idsOf = (isOrphan: boolean): readonly string[] =>
    written.filter(({ aggregate }) => (aggregate === false) === isOrphan).flatMap(({ reservations }) => reservations);
  const releasable = [...written.filter(({ aggregate }) => aggregate !== false), ...aggregates];
  const writtenMs = Math.max(-Infinity, ...releasable.map(({ atMs }) => atMs));
  const all = [...written, ...aggregates];
  const firstMs = Math.min(Infinity, ...all.map(({ atMs }) => atMs));
  return { rows: idsOf(false), orphans: idsOf(true), aggregates, evidence: all.map(refOf), firstMs, writtenMs };
};

/** Live, and with their part of the account's total: what it may rightly have reserved. */
export const countedRowsOf = (view: View, reading: LedgerReading, account: string | null): readonly Reservation[] => {
  const { orphans } = seededOf(view, account);
  return liveRowsOf(reading, account).filter(({ id }) => !orphans.includes(id));
};

/** What an account has reserved without a live row to show for it. */
export const residueOf = (view: View, reading: LedgerReading, account: string | null): number =>
  (accountIn(reading, account)?.reserved ?? 0) - sumOf(countedRowsOf(view, reading, account));

/**
 * The same at the baseline, without what a fault had added by then: it was there before, and nobody need release it.
 * What the account had before the fault is what was seen then. Where nobody had looked it is reckoned, as if what was
 * added were still in the total: a row may have ended by then without its part.
 */
export const formerResidueOf = (view: View, baseline: LedgerReading, account: string | null): number => {
  const { rows, aggregates, firstMs } = seededOf(view, account);
  if (firstMs > baseline.beganMs) return residueOf(view, baseline, account);
  const readings = readingsOf(view.timeline, 'ledger');
  const before = readings.findLast(({ atMs, value }) => atMs < firstMs && value.consistent);
  if (before && accountIn(before, account)) return residueOf(view, before, account);
  const over = baseline.value.reservations.filter(({ id, terminal }) => terminal && rows.includes(id));
  const added = aggregates.reduce((sum, { atMs, amount }) => (atMs <= baseline.beganMs ? sum + amount : sum), sumOf(over));
  const residue = residueOf(view, baseline, account);
  return added === 0 ? residue : Math.max(0, residue - added);
};

/** Objects where what was there before cannot be told: rows and total of the baseline were read one after the other. */
export const formerIsKnown = (view: View, baseline: LedgerReading, account: string | null): Finding | null =>
  baseline.value.consistent || !view.facts.ledger!.hasReservations || residueOf(view, baseline, account) === 0
    ? null
    : inconclusive(`what account ${account} had reserved without a row at the baseline is not known: the ledger was not read in one transaction`, [baseline.ref]);
