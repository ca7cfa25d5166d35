// Which rows of a ledger are one reservation. Where ended rows are deleted a database gives their ids out again (SQLite
// does, to the next row after the last), so an id alone would make two reservations one that never ends.
import { allExchanges } from './exchanges.ts';
import type { Reading } from './readings.ts';
import type { LedgerValue, Reservation } from './samples.ts';
import type { Timeline } from './timeline.ts';

type LedgerReading = Reading<LedgerValue>;
/** What had the id so far: its name, its latest row, and between which samples. */
type Holder = { readonly name: string; readonly firstMs: number; readonly row: Reservation; readonly index: number };

/** Another exchange than the one it was made for can have made a row that appeared between two samples. */
const mayBeNew = (timeline: Timeline, row: Reservation, holder: Holder, { atMs }: LedgerReading): boolean =>
  allExchanges(timeline).some(
    ({ account, marker, planned }) =>
      account === row.account && (row.marker ?? marker) === marker && planned.atMs > holder.firstMs && planned.atMs <= atMs,
  );

const isSame = (timeline: Timeline, row: Reservation, holder: Holder, reading: LedgerReading, index: number): boolean => {
  const before = holder.row;
  if (row.account !== before.account || (row.marker ?? before.marker) !== (before.marker ?? row.marker)) return false;
  // What was there all the while has not been made anew. What a fault wrote was made for no exchange.
  if (holder.index === index - 1 || timeline.of('ledger-rows').some(({ reservations }) => reservations.includes(row.id))) return true;
  if (row.startedAtMs !== undefined && row.startedAtMs === before.startedAtMs) return true;
  return !mayBeNew(timeline, row, holder, reading);
};

/** An id that stands for another reservation than before becomes `7 (2)`, in this sample and from then on. */
export const withOwnNames = (timeline: Timeline, readings: readonly LedgerReading[]): readonly LedgerReading[] => {
  const byId = new Map<string, Holder[]>();
  return readings.map((reading, index) => {
    const named = reading.value.reservations.map((row): Reservation => {
      const holders = byId.get(row.id) ?? [];
      const found = holders.findLastIndex((holder) => holder.index < index && isSame(timeline, row, holder, reading, index));
      const number = found < 0 ? holders.length : found;
      const name = number === 0 ? row.id : `${row.id} (${number + 1})`;
      holders[number] = { name, firstMs: holders[number]?.firstMs ?? reading.atMs, row, index };
      byId.set(row.id, holders);
      return name === row.id ? row : { ...row, id: name };
    });
    const isRenamed = named.some((row, each) => row !== reading.value.reservations[each]);
    return isRenamed ? { ...reading, value: { ...reading.value, reservations: named } } : reading;
  });
};
