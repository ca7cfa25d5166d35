// What may have happened between two samples of the ledger: a row that is released and taken again looks in both as
// if nothing had been done to it, but the ledger was written twice. It accuses nobody, since rows are not all that a
// ledger holds; nobody is cleared by samples that do not explain what was written, unless others may have written it.
import { exchangesOf } from '../../model/exchanges.ts';
import type { Exchange } from '../../model/exchanges.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { LedgerReading } from '../../model/leases.ts';
import { memoized } from '../../model/memo.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Gap } from '../../model/readings.ts';
import type { LedgerValue } from '../../model/samples.ts';
import { formatMs } from '../../model/time.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import type { View } from './view.ts';
import { count } from './words.ts';

/** To end it and to make it live again takes two commits; one that does both at once changes nothing for anybody. */
const LEAST_WRITES = 2;

/** Two samples between which more was written than renewals of what lives can be. */
type Pair = { readonly from: LedgerReading; readonly to: LedgerReading; readonly writes: number; readonly others: number; readonly isIdle: boolean };

const rowsOf = memoized((value: LedgerValue): ReadonlyMap<string, string> =>
  new Map(value.reservations.map(({ leaseAtMs: _, ...row }) => [row.id, JSON.stringify(row)])),
);
const totalsOf = memoized(({ accounts, charges }: LedgerValue): string => JSON.stringify([accounts, charges]));

/** Something that everybody can see, beside leases: it may have taken any number of writes. */
const hasChanged = (from: LedgerReading, to: LedgerReading, own: ReadonlySet<string>): boolean => {
  const before = rowsOf(from.value);
  const after = rowsOf(to.value);
  return (
    totalsOf(from.value) !== totalsOf(to.value) ||
    [...before].some(([id, row]) => after.get(id) !== row) ||
    // A row of its own that is over when it is first seen lived between the samples.
    to.value.reservations.some(({ id, terminal }) => !before.has(id) && !(terminal && own.has(id)))
  );
};

/** Null where renewals explain it. Without a period of renewal others may write as often as they like. */
const excessOf = ({ facts }: View, from: LedgerReading, to: LedgerReading, own: ReadonlySet<string>): Pair | null => {
  const written = (to.value.writes ?? 0) - (from.value.writes ?? Infinity);
  const live = new Set([...from.value.reservations, ...to.value.reservations].flatMap(({ id, terminal }) => (terminal ? [] : [id])));
  const others = [...live].filter((id) => !own.has(id)).length;
  const leases = new Map(from.value.reservations.map(({ id, leaseAtMs }) => [id, leaseAtMs]));
  const moving = to.value.reservations.filter(({ id, leaseAtMs }) => own.has(id) && leases.has(id) && leases.get(id) !== leaseAtMs).length;
  const renewing = others + moving;
  const renewals = 1 + Math.floor((to.atMs - from.beganMs) / (facts.periods.renewalMs ?? 0));
  const writes = renewing === 0 ? written : written - renewing * renewals;
  return writes < LEAST_WRITES ? null : { from, to, writes, others, isIdle: live.size === 0 };
};

/** When others, or we, did what systems write down: not only in the rows that a card shows. */
const busyTimes = ({ timeline }: View, exchange: Exchange): readonly number[] => [
  ...exchangesOf(timeline)
    .filter(({ marker }) => marker !== exchange.marker)
    .flatMap(({ planned, ended, left, upstreams }) => [planned, ended, left, ...upstreams.map(({ closed }) => closed)])
    .flatMap((seen) => (seen ? [seen.atMs] : [])),
  ...timeline.all
    .filter(({ type }) => /^(system-|process-exited|signal-sent|fault|ledger-|refund|precondition)/.test(type))
    .map(({ atMs }) => atMs),
];

/** Another exchange is under way of which no row is live: it may write what it likes where nobody looks. */
const isAnotherOpen = ({ timeline }: View, exchange: Exchange, { from, to }: Pair): boolean =>
  exchangesOf(timeline).some(
    ({ marker, planned, ended, left }) =>
      marker !== exchange.marker &&
      planned.atMs <= to.atMs &&
      Math.min(ended?.atMs ?? Infinity, left?.atMs ?? Infinity) >= from.beganMs &&
      !to.value.reservations.some((row) => row.marker === marker && !row.terminal),
  );

/** Objects where the ledger was written in the window more often than what was seen explains, and for all that is known by this exchange. */
export const writesAreExplained = (view: View, exchange: Exchange, window: Gap): Finding | null => {
  const readings = readingsOf(view.timeline, 'ledger');
  const { own, ownerless } = holdingsOf(view.timeline, exchange);
  const ids = new Set([...own, ...ownerless].map(({ id }) => id));
  const pairs = readings.slice(1).flatMap((to, index) => excessOf(view, readings[index]!, to, ids) ?? []);
  if (pairs.length === 0) return null;
  const changes = readings.slice(1).flatMap((to, index) => (hasChanged(readings[index]!, to, ids) ? [to.atMs] : []));
  const busy = [...busyTimes(view, exchange), ...changes];
  const suspect = pairs.filter(({ from, to }) => !busy.some((ms) => ms >= from.beganMs - view.facts.marginMs && ms <= to.atMs));
  // A system that writes as much for nobody, or beside every exchange, does so now too.
  const before = suspect.filter(({ to }) => to.atMs <= (exchange.left?.atMs ?? window.fromMs));
  const isUsual = (others: number): boolean => before.some(({ isIdle }) => isIdle || others > 0);
  const found = suspect.find(
    (pair) =>
      pair.from.beganMs >= window.fromMs && pair.to.atMs <= window.toMs && !isUsual(pair.others) && !isAnotherOpen(view, exchange, pair),
  );
  if (!found) return null;
  const { from, to, writes } = found;
  return inconclusive(
    `the ledger was written ${count(writes, 'time')} between ${formatMs(from.beganMs)} and ${formatMs(to.atMs)}, and no sample shows what for: ` +
      `${exchange.client}'s money may have been held again between two looks`,
    [from.ref, to.ref],
  );
};
