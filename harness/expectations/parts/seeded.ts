// What faults added to the ledger: rows that nobody owns, and totals without a row. Neither is ever part of
// the baseline, also where they were written before the system was started.
import type { LedgerReading } from '../../model/leases.ts';
import { refOf } from '../../model/observation.ts';
import type { ObservationOf } from '../../model/observation.ts';
import type { Reservation } from '../../model/samples.ts';
import { liveRowsOf, sumOf } from './billing-class.ts';
import { accountIn } from './ledger.ts';
import type { View } from './view.ts';

export type Seeded = {
  /** Those whose amount is part of the account's total: they can be released. */
  readonly rows: readonly string[];
  /** Those whose amount never was. */
  readonly orphans: readonly string[];
  readonly aggregates: readonly ObservationOf<'ledger-aggregate'>[];
  readonly evidence: readonly string[];
  /** When the last of what can be released was written. */
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
  return { rows: idsOf(false), orphans: idsOf(true), aggregates, evidence: [...written, ...aggregates].map(refOf), writtenMs };
};

/** Live, and with their part of the account's total: what it may rightly have reserved. */
export const countedRowsOf = (view: View, reading: LedgerReading, account: string | null): readonly Reservation[] => {
  const { orphans } = seededOf(view, account);
  return liveRowsOf(reading, account).filter(({ id }) => !orphans.includes(id));
};

/** What an account has reserved without a live row to show for it. */
export const residueOf = (view: View, reading: LedgerReading, account: string | null): number =>
  (accountIn(reading, account)?.reserved ?? 0) - sumOf(countedRowsOf(view, reading, account));

/** The same at the baseline, without what a fault had added by then: it was there before, and nobody need release it. */
export const formerResidueOf = (view: View, baseline: LedgerReading, account: string | null): number => {
  const { aggregates } = seededOf(view, account);
  const added = aggregates.reduce((sum, { atMs, amount }) => (atMs <= baseline.beganMs ? sum + amount : sum), 0);
  const residue = residueOf(view, baseline, account);
  return added === 0 ? residue : Math.max(0, residue - added);
};
