// The ledger as the billing claims read it: the baseline, the end, whether it was lost or looked at too
// rarely, and why a claim about it cannot be shown at all.
import type { Exchange } from '../../model/exchanges.ts';
import type { Facts } from '../../model/facts.ts';
import type { Options } from '../../model/fields.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { LedgerReading } from '../../model/leases.ts';
import { refOf } from '../../model/observation.ts';
import { longestGap, readingsOf } from '../../model/readings.ts';
import type { Gap } from '../../model/readings.ts';
import type { Account } from '../../model/samples.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive, isFinding } from './finding.ts';
import { silenceMs } from './silence.ts';
import type { View } from './view.ts';
import { at, gapWords } from './words.ts';

export const noLedger = (facts: Facts, { client }: Options): string | null => {
  if (!facts.ledger) return 'the card has no ledger';
  if (typeof client !== 'string') return null;
  return (facts.clients[client]?.account ?? null) === null ? `${client} uses no account` : null;
};

export const noReservations = (facts: Facts, options: Options): string | null =>
  noLedger(facts, options) ?? (facts.ledger!.hasReservations ? null : 'the ledger has no reservations, only an aggregate');

/** The account of a client that has one: claims about others do not apply. */
export const accountOf = ({ facts }: View, client: string): string => facts.clients[client]!.account!;

/** The accounts that back what a client's account asks for, by the rows that were seen; without any its own. */
export const payersOf = (view: View, account: string): readonly string[] => {
  const rows = readingsOf(view.timeline, 'ledger').flatMap(({ value }) => value.reservations.filter((row) => row.account === account));
  return rows.length === 0 ? [account] : [...new Set(rows.map(({ payer }) => payer))];
};

/** Who may rightly be charged for an exchange: who asked, and who pays for that account. `isShown`: a row of it was seen. */
export const payersFor = (view: View, exchange: Exchange): { readonly payers: ReadonlySet<string | null>; readonly isShown: boolean } => {
  const own = holdingsOf(view.timeline, exchange).own.flatMap(({ rows }) => rows.map(({ row }) => row.payer));
  const ofAccount = readingsOf(view.timeline, 'ledger').flatMap(({ value }) => value.reservations.filter(({ account }) => account === exchange.account));
  const shown = [...own, ...ofAccount.map(({ payer }) => payer)];
  return { payers: new Set([exchange.account, ...shown]), isShown: shown.length > 0 };
};

export const accountIn = (reading: LedgerReading, id: string | null): Account | undefined =>
  reading.value.accounts.find((account) => account.id === id);

/** The ledger before the scenario's own exchanges: what is left over is compared with it, not with zero. */
export const baselineOf = ({ timeline }: View): LedgerReading | Finding => {
  const { beginMs, endMs } = timeline.phase('baseline');
  const baseline = readingsOf(timeline, 'ledger').findLast(
    ({ beganMs, atMs }) => beganMs >= (beginMs ?? Infinity) && atMs <= (endMs ?? -Infinity),
  );
  return baseline ?? inconclusive('probe ledger has no sample of the baseline');
};

const lostBecause = ({ timeline }: View, atMs: number): string => {
  const failed = timeline.of('sample').find((sample) => sample.probe === 'ledger' && sample.error !== undefined && sample.atMs >= atMs);
  return failed ? ` (${failed.error}, ${refOf(failed)})` : '';
};

/** The ledger at the end, or why that is not known: lost half-way, or never seen. */
export const ledgerAtEnd = (view: View, endMs = view.endMs): LedgerReading | Finding => {
  const last = readingsOf(view.timeline, 'ledger').findLast(({ atMs }) => atMs <= endMs);
  if (!last) return inconclusive(`probe ledger never saw the ledger${lostBecause(view, -Infinity)}`);
  if (endMs - last.beganMs <= silenceMs(view, view.facts.sampling.ledgerMs, endMs)) return last;
  const silent = `${formatMs(endMs - last.atMs)} before the end`;
  return inconclusive(`probe ledger lost the ledger ${at(last.atMs)}, ${silent}${lostBecause(view, last.atMs)}`, [last.ref]);
};

/** Objects where the ledger was looked at less often than a lease lasts. */
export const ledgerKeptUp = (view: View, window: Gap): Finding | null => {
  const { leaseMs } = view.facts.periods;
  if (leaseMs === undefined) return null;
  const gap = longestGap(readingsOf(view.timeline, 'ledger'), window);
  return gap.toMs - gap.fromMs > leaseMs
    ? inconclusive(`probe ledger too slow: ${gapWords(gap)}, a lease lasts ${formatMs(leaseMs)}`)
    : null;
};

/** When the first refund was asked; infinity: none was. It may have changed the books before its answer came. */
export const firstRefundMs = ({ timeline }: View, fromMs = -Infinity): number => {
  const refund = timeline.of('refund').find(({ atMs }) => atMs >= fromMs);
  return refund ? refund.atMs - (refund.tookMs ?? 0) : Infinity;
};

/** As a check: the ledger was not lost before the end. */
export const ledgerLasted = (view: View, endMs = view.endMs): Finding | null => {
  const end = ledgerAtEnd(view, endMs);
  return isFinding(end) ? end : null;
};
