// The rows by which the money of one exchange is held, and when one of them was over that had been live. One that
// comes back had been over all the same; one whose place another takes may only have been made anew.
import type { Exchange } from '../../model/exchanges.ts';
import { holdingsOf } from '../../model/leases.ts';
import type { LedgerReading, Life, RowReading } from '../../model/leases.ts';
import { readingsOf } from '../../model/readings.ts';
import type { Finding } from '../../model/verdict.ts';
import { inconclusive } from './finding.ts';
import type { View } from './view.ts';
import { at, reservationWords } from './words.ts';

/** Those that were seen live. A request that is sent again bears the same marker: what was there before it is not its own. */
export const heldRowsOf = ({ timeline }: View, exchange: Exchange): readonly Life[] => {
  const { planned } = exchange;
  const fromMs = planned.repeat === true ? planned.atMs : -Infinity;
  return holdingsOf(timeline, exchange).own.filter(({ rows }) => rows[0]!.reading.atMs >= fromMs && rows.some(({ row }) => !row.terminal));
};

export type Over = {
  readonly life: Life;
  /** The last sample that showed it live before that. */
  readonly before: RowReading;
  readonly reading: LedgerReading;
  readonly state: string;
};

/** The first sample in which it is terminal or gone, after one in which it was live. */
export const overOf = ({ timeline }: View, life: Life): Over | null => {
  const live = new Map(life.rows.flatMap((each) => (each.row.terminal ? [] : [[each.reading.ref, each] as const])));
  const readings = readingsOf(timeline, 'ledger');
  const first = readings.findIndex(({ ref }) => live.has(ref));
  const index = readings.findIndex(({ ref }, each) => each > first && !live.has(ref));
  if (first < 0 || index < 0) return null;
  const reading = readings[index]!;
  const state = reading.value.reservations.find(({ id }) => id === life.id)?.state ?? 'gone';
  return { life, before: live.get(readings[index - 1]!.ref)!, reading, state };
};

/** Objects where a later row of the same exchange was live when it was over: what it was served for may never have been without one. */
export const wasReplaced = (lives: readonly Life[], { life, reading, state }: Over): Finding | null => {
  const later = lives.find(
    ({ rows }) => rows[0]!.reading.atMs > life.rows[0]!.reading.atMs && rows.some(({ row, reading: { ref } }) => ref === reading.ref && !row.terminal),
  );
  if (!later) return null;
  return inconclusive(`${reservationWords(life.id)} was ${state} ${at(reading.atMs)}, but another took its place: ${reservationWords(later.id)}`, [reading.ref]);
};
