// Reservations over time: whose they are, when they were renewed, when they ended. A ledger with
// markers says whose a row is; without them it belongs to the only exchange that can have made it.
import { allExchanges } from './exchanges.ts';
import type { Exchange } from './exchanges.ts';
import { memoized } from './memo.ts';
import { readingsOf } from './readings.ts';
import type { Reading } from './readings.ts';
import type { LedgerValue, Reservation } from './samples.ts';
import type { Timeline } from './timeline.ts';

export type LedgerReading = Reading<LedgerValue>;
export type RowReading = { readonly reading: LedgerReading; readonly row: Reservation };

/** One reservation from the first sample that shows it to the last. */
export type Life = {
  readonly id: string;
  readonly rows: readonly RowReading[];
  /** Began the last sample without it: it was made after that. Minus infinity where every sample has it. */
  readonly absentMs: number;
};

/** A renewal: between the two samples the lease time moved forward, and the row was live in both. */
export type Renewal = { readonly from: RowReading; readonly to: RowReading };

export const livesIn = (readings: readonly LedgerReading[]): readonly Life[] => {
  const lives = new Map<string, { rows: RowReading[]; absentMs: number }>();
  for (const [index, reading] of readings.entries()) {
    for (const row of reading.value.reservations) {
      const life = lives.get(row.id);
      if (life) life.rows.push({ reading, row });
      else lives.set(row.id, { rows: [{ reading, row }], absentMs: readings[index - 1]?.beganMs ?? -Infinity });
    }
  }
  return [...lives].map(([id, life]) => ({ id, ...life }));
};

export const renewalsOf = (life: Life): readonly Renewal[] =>
  life.rows.slice(1).flatMap((to, index) => {
    const from = life.rows[index]!;
    const moved = (to.row.leaseAtMs ?? 0) > (from.row.leaseAtMs ?? Infinity);
    return moved && !to.row.terminal && !from.row.terminal ? [{ from, to }] : [];
  });

/** `nobody`: no exchange of the account was open when it appeared. `unclear`: more than one was. */
export type Owner = { readonly is: 'exchange'; readonly marker: string } | { readonly is: 'fault' | 'nobody' | 'unclear' };

const endOf = ({ ended, left }: Exchange): number => Math.min(ended?.atMs ?? Infinity, left?.atMs ?? Infinity);

export const ownerOf = (timeline: Timeline, life: Life): Owner => {
  if (timeline.of('ledger-rows').some(({ reservations }) => reservations.includes(life.id))) return { is: 'fault' };
  const first = life.rows[0]!;
  const { marker } = first.row;
  const exchanges = allExchanges(timeline);
  if (marker !== undefined) return exchanges.some((exchange) => exchange.marker === marker) ? { is: 'exchange', marker } : { is: 'nobody' };
  const open = exchanges.filter(
    (exchange) => exchange.account === first.row.account && exchange.planned.atMs <= first.reading.atMs && endOf(exchange) >= life.absentMs,
  );
  if (new Set(open.map((exchange) => exchange.marker)).size > 1) return { is: 'unclear' };
  return open[0] ? { is: 'exchange', marker: open[0].marker } : { is: 'nobody' };
};

export type Holdings = {
  /** The exchange's own reservations. */
  readonly own: readonly Life[];
  /** Of its account, and of nobody that the scenario knows. */
  readonly ownerless: readonly Life[];
  /** Of its account, and it cannot be told whose. */
  readonly unclear: readonly Life[];
};

const owned = memoized((timeline: Timeline): readonly { readonly life: Life; readonly owner: Owner }[] =>
  livesIn(readingsOf(timeline, 'ledger')).map((life) => ({ life, owner: ownerOf(timeline, life) })),
);

/** The reservations of an exchange and those of its account that may be its own. */
export const holdingsOf = (timeline: Timeline, exchange: Exchange): Holdings => {
  const lives = owned(timeline);
  const ofAccount = (is: Owner['is']): readonly Life[] =>
    lives.filter(({ life, owner }) => owner.is === is && life.rows[0]!.row.account === exchange.account).map(({ life }) => life);
  return {
    own: lives.filter(({ owner }) => owner.is === 'exchange' && owner.marker === exchange.marker).map(({ life }) => life),
    ownerless: ofAccount('nobody'),
    unclear: ofAccount('unclear'),
  };
};
