// What is the matter with one account, from snapshots of a live ledger: the classes of seed 003, and where to look
// next for each. Pure: the snapshots are taken elsewhere.
import { billingClassOf } from '../expectations/parts/billing-class.ts';
import type { BillingClass } from '../expectations/parts/billing-class.ts';
import type { Facts } from '../model/facts.ts';
import { livesIn, renewalsOf } from '../model/leases.ts';
import type { LedgerReading } from '../model/leases.ts';
import type { ObservationOf } from '../model/observation.ts';
import { readingsOf } from '../model/readings.ts';
import type { Account, Reservation } from '../model/samples.ts';
import { formatMs } from '../model/time.ts';
import { createTimeline } from '../model/timeline.ts';

export type Snapshot = ObservationOf<'sample'>;

/** `nothing reserved`: no reason to refuse a refund. `undecided`: what was seen fits more than one class. */
export type DiagnosisClass = BillingClass | 'nothing reserved' | 'undecided';

export type DiagnosedRow = {
  readonly row: Reservation;
  /** By the ledger's clock at the last snapshot, ms; negative: in the future. Null where the ledger has none. */
  readonly leaseAgeMs: number | null;
  readonly ageMs: number | null;
  /** How often its lease was seen to move. */
  readonly renewals: number;
};

export type Diagnosis = {
  readonly class: DiagnosisClass;
  readonly account: Account;
  /** Of the account, as who asked or who pays; live ones only. */
  readonly live: readonly DiagnosedRow[];
  readonly terminal: number;
  readonly snapshots: number;
  readonly spanMs: number;
  /** One line of what was seen. */
  readonly seen: string;
  readonly next: readonly string[];
};

const NEXT: Readonly<Record<DiagnosisClass, readonly string[]>> = {
  'nothing reserved': ['A refund refused now has another reason: look at what the refund endpoint itself reads.'],
  renewing: [
    'Something is alive and renews it. Find the instance (the row may name it) and the task that holds it, and dump its stack.',
    'See what that task waits for: the upstream, a client that does not read, the ledger, or a clean-up of its own.',
    'A renewal proves that the task lives, not that anybody is still served: compare with the upstream and the access log.',
  ],
  'stale but unswept': [
    'Nobody renews it, so the sweeper should have released it: does it run, and does its log show errors?',
    'One row that cannot be released may stop the sweep of those behind it: look for the first error of a pass.',
    'Compare the deployed version and its effective settings (lease, sweep) with what you believe they are.',
  ],
  'aggregate without a row': [
    'The total is reserved, and no row says for whom: left by an older version, or by a row that ended without it.',
    'Look at the timestamp of the aggregate: one that is missing is often skipped by the sweeper.',
    'Do not set it to zero by hand while an older instance may still own it.',
  ],
  'future lease': [
    'Its lease lies in the future: compare the clocks of all instances that write to this ledger.',
    'A sweeper that only compares with its own clock will not touch it before that time.',
  ],
  'some stale, some fresh': [
    'Release the stale ones only. Clearing the whole account would take the money of a request that is alive.',
    'For the stale ones see the sweeper, for the fresh ones see who renews them.',
  ],
  'aggregate and rows drifted apart': [
    'The total is not the sum of the live rows: a transition changed one without the other.',
    'Look for a charge or release that failed half-way, and reconcile by an accounting transaction, not by hand.',
  ],
  undecided: ['Look again for longer than one lease: until then a renewal may simply not have been due.'],
};

const rowsOf = (reading: LedgerReading, account: string): readonly Reservation[] =>
  reading.value.reservations.filter((row) => row.account === account || row.payer === account);

const undefinedToNull = (from: number, at: number | undefined): number | null => (at === undefined ? null : from - at);

const diagnosedRow = (readings: readonly LedgerReading[], last: LedgerReading, row: Reservation): DiagnosedRow => {
  const life = livesIn(readings).find(({ id }) => id === row.id);
  const { wallMs } = last.value;
  return {
    row,
    leaseAgeMs: undefinedToNull(wallMs, row.leaseAtMs),
    ageMs: undefinedToNull(wallMs, row.startedAtMs),
    renewals: life ? renewalsOf(life).length : 0,
  };
};

const seenWords = (live: readonly DiagnosedRow[], account: Account, spanMs: number): string => {
  const moves = live.reduce((sum, { renewals }) => sum + renewals, 0);
  const held = live.reduce((sum, { row }) => sum + row.amount, 0);
  const leases = live.length === 0 ? '' : `, whose leases moved ${moves} ${moves === 1 ? 'time' : 'times'} in ${formatMs(spanMs)}`;
  return `${account.reserved} reserved in total; ${live.length} live ${live.length === 1 ? 'row holds' : 'rows hold'} ${held}${leases}`;
};

/**
 * @param snapshots samples of the ledger probe, in order
 * @param periods of the card; a lease that nobody declares makes what is fresh and what is stale undecided
 * @returns null where no snapshot has that account
 */
export const diagnose = (snapshots: readonly Snapshot[], id: string, periods: Facts['periods']): Diagnosis | null => {
  const timeline = createTimeline(snapshots);
  const readings = readingsOf(timeline, 'ledger');
  const [first, last] = [readings[0], readings.at(-1)];
  const account = last?.value.accounts.find((each) => each.id === id);
  if (!first || !last || !account) return null;
  const rows = rowsOf(last, id);
  const live = rows.filter(({ terminal }) => !terminal).map((row) => diagnosedRow(readings, last, row));
  const isClear = account.reserved === 0 && live.length === 0;
  const found = isClear ? 'nothing reserved' : (billingClassOf({ timeline, facts: { periods } }, id, last, first.beganMs) ?? 'undecided');
  const spanMs = last.atMs - first.atMs;
  return {
    class: found, account, live, terminal: rows.length - live.length, snapshots: readings.length, spanMs,
    seen: seenWords(live, account, spanMs), next: NEXT[found],
  };
};
